import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { targetName, type Target } from '../publishing/targets.js';
import { storesThat } from '../stores.js';
import { confirmed } from '../terminal/confirmed.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
  readonly to: string;
  readonly as?: string;
  readonly reason: string;
  readonly yes?: true;
}

/** Brings an older version back. */
export const rollbackCommand = (): Command =>
  withExamples(
    new Command('rollback')
      .description('Have a store serve an older version again, under a new and higher number.')
      .argument('<store>', list(storesThat('rollback'), 'or'))
      .requiredOption('--to <version>', 'the older version')
      .requiredOption('--reason <text>', 'why, for the store and the timeline')
      .option('--as <version>', 'its new number (default: the live one with its last part raised)')
      .option(...EXTENSION)
      .option('-y, --yes', 'roll back without confirmation')
      .action(action(rollBack)),
    'pierhead rollback chrome --to 1.3.2 --reason "1.4.0 miscounts."',
  );

async function rollBack(context: Context, store: string, options: Options): Promise<void> {
  const { service, extension, targets } = await chosenTargets(context, options.extension, [store]);
  const [target] = targets;
  if (target === undefined) throw new Failure(`${extension.name} is not published there.`);
  const version = options.as ?? raised(target);
  const name = targetName(target);
  const what = `${name} is to serve ${options.to} again, as ${version}.`;
  if (!options.yes) await confirmed(context, { what, name: extension.name, called: `"${extension.name}"` });
  const artifact = await answer(
    service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/rollback', {
      params: { path: pathOf(target) },
      body: { to: options.to, version, reason: options.reason },
    }),
  );
  context.terminal.result(
    artifact,
    () => `${name} will serve ${options.to} again, as ${artifact.version}. Follow it with: pierhead watch`,
  );
}

/** The highest version that the store has or is to get, with its last part raised by one. */
function raised({ status }: Target): string {
  const { liveVersion, submittedVersion, desiredVersion } = status;
  if (liveVersion === null)
    throw usageFailure('Pierhead does not know which version is live there.', 'Name the new number with --as.');
  const known = [liveVersion, submittedVersion, desiredVersion].filter((version) => version !== null);
  const parts =
    known
      .toSorted(new Intl.Collator('en', { numeric: true }).compare)
      .at(-1)
      ?.split('.') ?? [];
  return [...parts.slice(0, -1), Number(parts.at(-1)) + 1].join('.');
}

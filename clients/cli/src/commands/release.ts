import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { targetName, type Target } from '../publishing/targets.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
}

/** Publishes approved versions that are held back. */
export const releaseCommand = (): Command =>
  withExamples(
    new Command('release')
      .description('Publish approved versions that are waiting for you.')
      .argument('[stores...]', 'where (default: wherever an approved version waits)')
      .option(...EXTENSION)
      .action(action(release)),
    'pierhead release',
    'pierhead release chrome',
  );

async function release(context: Context, stores: readonly string[], options: Options): Promise<void> {
  const { service, targets } = await chosenTargets(context, options.extension, stores);
  const waiting = stores.length > 0 ? targets : targets.filter(({ status }) => status.phase === 'approved');
  if (waiting.length === 0)
    throw new Failure('No approved version is waiting for you.', { hint: 'Check their status with: pierhead status' });
  const released: Target[] = [];
  for (const target of waiting) {
    const request = { params: { path: pathOf(target) }, fetch: service.repeatedly };
    released.push(await answer(service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/release', request)));
  }
  context.terminal.result({ targets: released }, () =>
    released.map((target) => `${targetName(target)} will publish ${target.status.desiredVersion}.`).join('\n'),
  );
}

import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { chosenTargets } from '../publishing/chosen.js';
import { targetName, updateTarget, type Target } from '../publishing/targets.js';
import { storesThat } from '../stores.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
}

/** Sets the share of users that get a version. */
export const rolloutCommand = (): Command =>
  withExamples(
    new Command('rollout')
      .description('Offer versions to a share of the users. A higher share widens the live version.')
      .argument('<store>', list(storesThat('percentRollout'), 'or'))
      .argument('<percent>', '1 to 100')
      .option(...EXTENSION)
      .action(action(setRollout)),
    'pierhead rollout chrome 10',
    'pierhead rollout chrome 100',
  );

async function setRollout(context: Context, store: string, percent: string, options: Options): Promise<void> {
  const share = /^(\d{1,3}) ?%?$/.exec(percent)?.[1];
  if (share === undefined || Number(share) < 1 || Number(share) > 100)
    throw usageFailure(`"${percent}" is not a percentage from 1 to 100.`, 'Example: pierhead rollout chrome 10');
  const { service, targets } = await chosenTargets(context, options.extension, [store]);
  for (const target of targets) {
    await updateTarget(service, target, { rolloutPercent: Number(share) });
    const changed = { ...target, rolloutPercent: Number(share) };
    context.terminal.result(changed, () => sayRollout(changed, Number(share)));
  }
}

/** Consequences for the live version and the next one: no store takes a version back from users who were offered it. */
function sayRollout(target: Target, share: number): string {
  const { phase, liveVersion, offeredPercent } = target.status;
  const name = targetName(target);
  if (phase !== 'live' || liveVersion === null) return `${name} offers versions to ${share} % of the users.`;
  const offered = offeredPercent ?? 100;
  if (share > offered)
    return `${name} offers ${liveVersion} to ${share} % of the users, as soon as Pierhead has asked for it, instead of to ${offered} %.`;
  const now = offered < 100 ? `offered to ${offered} % of the users` : 'live for all';
  const next = share < offered ? `; the next version starts at ${share} %` : '';
  return `${name}: ${liveVersion} is ${now}${next}.`;
}

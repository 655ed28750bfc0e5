import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { EXIT, type ExitCode } from '../failure.js';
import { chosenTargets } from '../publishing/chosen.js';
import { follow, type Followed } from '../publishing/follow.js';
import { waitResultOf } from '../publishing/goal.js';
import { printNextSteps, summary } from '../publishing/summary.js';
import { withExamples } from './example.js';
import { EXTENSION, timeoutOf } from './options.js';

interface Options {
  readonly extension?: string;
  readonly timeout?: string;
}

/** Follows what is on its way. */
export const watchCommand = (): Command =>
  withExamples(
    new Command('watch')
      .description('Follow the pinned version until every store has it live, one rejects it, or a person is needed.')
      .argument('[stores...]', 'only these stores')
      .option(...EXTENSION)
      .option('--timeout <duration>', 'how long to wait, such as 90s, 30m or 2d (default: no end)')
      .action(action(watch)),
    'pierhead watch',
    'pierhead watch chrome --json',
  );

async function watch(context: Context, stores: readonly string[], options: Options): Promise<ExitCode> {
  const timeoutMs = options.timeout === undefined ? null : timeoutOf(options.timeout);
  const { terminal } = context;
  const { service, extension, targets } = await chosenTargets(context, options.extension, stores);
  const ids = new Set(targets.filter(({ status }) => status.desiredVersion !== null).map(({ id }) => id));
  if (ids.size === 0) {
    terminal.note(`No version of ${extension.name} is pushed there.`);
    return EXIT.done;
  }
  const { followed, exitCode } = await follow(context, service, extension.id, {
    choose: ({ id }) => ids.has(id),
    resultOf: (target) => waitResultOf(target, { version: target.status.desiredVersion ?? '', goal: 'live' }),
    ...(terminal.json ? { onChange: (each: Followed) => terminal.item(changeOf(each), String) } : {}),
    timeoutMs,
  });
  if (!terminal.json) terminal.result(followed, () => summary(followed, terminal.style));
  printNextSteps(terminal, followed, exitCode);
  return exitCode;
}

/** One line of JSON for each change. */
const changeOf = ({ target: { id, store, channel, status }, result }: Followed): object => ({
  targetId: id,
  store,
  channel,
  version: status.desiredVersion,
  liveVersion: status.liveVersion,
  phase: status.phase,
  message: status.message,
  verdict: result,
});

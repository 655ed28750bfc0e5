import { Command, Option } from 'commander';
import type { Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { asFailure, EXIT, Failure, type ExitCode } from '../failure.js';
import { GOALS, waitResultOf, type Goal } from '../publishing/goal.js';
import { listTargets, type Target } from '../publishing/targets.js';
import { storeName } from '../stores.js';
import { prepare, type Plan, type PushOptions } from '../pushing/plan.js';
import { otherWarnings, preflight, warnOf, type Allowed, type Checked } from '../pushing/preflight.js';
import type { Sent } from '../pushing/requests.js';
import { send } from '../pushing/send.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';
import { EXTENSION, timeoutOf } from './options.js';

interface Options extends PushOptions, Allowed {
  readonly wait?: Goal;
  readonly timeout: string;
}

/** Pushes a version, and waits for it on request. */
export const pushCommand = (): Command =>
  withExamples(
    new Command('push')
      .description('Push a version. The service publishes it to each store, even after this command has ended.')
      .argument(
        '[package]',
        'zip, signed .pkg or .ipa, folder or project (default: that of pierhead.json, or what the build made)',
      )
      .option(...EXTENSION)
      .option('-s, --store <store...>', 'only for these stores')
      .option('-t, --target <target>', 'the target, by its id or item, where its store has several')
      .option('--sources <path>', "archive or folder of the source code, for Firefox's reviewers")
      .option('--notes <text>', 'what is new, for users')
      .option(
        '--notes-file <path>',
        'read what is new from a file, or from a folder such as notes/de.md; - is standard input',
      )
      .option('--reviewer-notes-file <file>', 'read notes for reviewers from a file; - is standard input')
      .option('--commit <hash>', 'the commit that it was built from (default: that of the CI job)')
      .option('--dry-run', 'check everything, and send nothing')
      .option('--no-lint', "leave out Mozilla's addons-linter, which runs when the project has it")
      .option('-y, --yes', 'push despite warnings, without confirmation')
      .addOption(
        new Option('-w, --wait <state>', 'wait until every store has the version in this state').choices(GOALS),
      )
      .option('--timeout <duration>', 'how long to wait, such as 90s, 30m or 2d', '30m')
      .action(action(push)),
    'pierhead push',
    'pierhead push extension.zip --wait live --timeout 2h',
    'pierhead push .output --store firefox --sources sources.zip --notes-file CHANGES.md',
  );

async function push(context: Context, named: string | undefined, options: Options): Promise<ExitCode> {
  const timeoutMs = timeoutOf(options.timeout);
  const service = await context.service(options.extension);
  const plan = await prepare(context, service, named, options).catch(rethrowUnsent);
  try {
    const checked = await preflight(context, service, plan, options).catch(rethrowUnsent);
    if (options.dryRun) return dryRun(context, plan, checked);
    const sent = await send(context, service, plan);
    warnOfTheRest(context, checked, sent);
    await (await import('../publishing/approvals.js')).noteWaiting(context, service, sent);
    const pushed = sent.map((each, at) => pushedOf(each, plan.sendings[at]?.from ?? null, checked[at]?.check ?? null));
    return await ended(context, service, plan, pushed, { goal: options.wait ?? null, timeoutMs });
  } finally {
    for (const { prepared } of plan.sendings) await prepared?.discard();
    await plan.sources?.discard();
  }
}

/** Warns of what only the service knew, once it had the package. */
function warnOfTheRest({ terminal }: Context, checked: readonly Checked[], sent: readonly Sent[]): void {
  const said = new Set(checked.flatMap(({ findings }) => findings.map(({ id }) => id)));
  warnOf(
    terminal,
    sent.flatMap(({ findings }) => findings.filter(({ id }) => !said.has(id))),
  );
  for (const [at, { warning }] of sent.entries())
    if (checked[at]?.check === null && warning !== undefined) terminal.warn(warning);
}

/** Says of an interruption that it came before anything was sent. */
function rethrowUnsent(thrown: unknown): never {
  const { exitCode, code } = asFailure(thrown);
  if (exitCode !== EXIT.interrupted || code !== undefined) throw thrown;
  throw new Failure('Interrupted. Nothing was pushed.', { exitCode });
}

function dryRun(context: Context, plan: Plan, checked: readonly Checked[]): ExitCode {
  const packages = plan.sendings.map(({ store, targetId, version, prepared }, at) => ({
    stores: store === null ? (plan.targets?.map((target) => target.store) ?? null) : [store],
    targetId,
    version,
    size: prepared?.size ?? null,
    sha256: prepared?.sha256 ?? null,
    deduplicated: checked[at]?.check?.deduplicated ?? false,
    warnings: checked[at]?.check?.warnings ?? [],
    findings: checked[at]?.findings ?? [],
  }));
  const { id, name } = plan.extension;
  context.terminal.result({ dryRun: true, extension: { id, name }, packages }, () =>
    packages
      .map(
        ({ stores, version }) =>
          `Would push ${version} for ${stores === null ? 'every store' : list(stores.map(storeName))}.`,
      )
      .join('\n'),
  );
  return EXIT.done;
}

/** The push, as the result shows it. */
interface Pushed extends Omit<Sent, 'warning'> {
  /** Zip or folder, relative to where the user is. */
  readonly package: string | null;
  readonly warning: string | null;
  /** The sentences of `warning` that are no findings. */
  readonly warnings: readonly string[];
}

const pushedOf = (
  { artifact, deduplicated, findings, warning }: Sent,
  from: string | null,
  check: Checked['check'],
): Pushed => ({
  artifact,
  package: from,
  deduplicated,
  warning: warning ?? null,
  warnings: check === null ? (warning === undefined ? [] : [warning]) : otherWarnings(check),
  findings,
});

interface Waiting {
  readonly goal: Goal | null;
  readonly timeoutMs: number;
}

/** Waits on request, and reports how it ended. */
async function ended(
  context: Context,
  service: Service,
  plan: Plan,
  pushed: readonly Pushed[],
  { goal, timeoutMs }: Waiting,
): Promise<ExitCode> {
  const { terminal } = context;
  const { extension, targets } = plan;
  const base = { extension: { id: extension.id, name: extension.name }, pushed };
  const ids = new Set(targets?.map(({ id }) => id));
  if (goal === null) {
    const versions = [...new Set(pushed.map(({ artifact }) => artifact.version))];
    terminal.result(
      { ...base, targets: targets === null ? null : await targetsNow(service, extension.id, ids), outcome: 'pushed' },
      () => `Pushed ${extension.name} ${list(versions)}. Follow it with: pierhead watch`,
    );
    return EXIT.done;
  }
  if (targets === null)
    throw new Failure('The version was pushed, but this token cannot read its status.', {
      exitCode: EXIT.notAllowed,
      hint: 'Give the token the scope extensions:read, or leave out --wait.',
    });
  if (targets.length === 0)
    throw new Failure('The version was pushed, but no enabled target will receive it.', { exitCode: EXIT.needsPerson });
  // Most pushes do not wait, and start without what waiting needs.
  const { follow } = await import('../publishing/follow.js');
  const { printNextSteps, summary } = await import('../publishing/summary.js');
  const { followed, exitCode } = await follow(context, service, extension.id, {
    choose: ({ id }) => ids.has(id),
    resultOf: (target) => waitResultOf(target, { version: versionFor(plan, target), goal }),
    timeoutMs,
  });
  const outcome = outcomeOf(exitCode, goal);
  terminal.result({ ...base, targets: followed.map(({ target }) => target), outcome }, () =>
    summary(followed, terminal.style),
  );
  printNextSteps(terminal, followed, exitCode);
  return exitCode;
}

/** State of the targets right after a push; null where the service does not answer, since the push itself is done. */
const targetsNow = (
  service: Service,
  extensionId: string,
  ids: ReadonlySet<string>,
): Promise<readonly Target[] | null> =>
  listTargets(service, extensionId).then(
    (all) => all.filter(({ id }) => ids.has(id)),
    () => null,
  );

/** The version that a target gets, as the store will name it. */
const versionFor = ({ sendings }: Plan, target: Target): string =>
  sendings.find(({ store }) => store === null || store === target.store)?.version ?? '';

const OUTCOMES: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.rejected]: 'rejected',
  [EXIT.needsPerson]: 'needs_person',
  [EXIT.timedOut]: 'timed_out',
  [EXIT.failed]: 'replaced',
};
const outcomeOf = (exitCode: ExitCode, goal: Goal): string => OUTCOMES[exitCode] ?? goal;

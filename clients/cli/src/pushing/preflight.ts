import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { EXIT, Failure } from '../failure.js';
import { inOrder, rendered, SEVERITIES, type PushedFinding } from '../preflight/findings.js';
import { storeName } from '../stores.js';
import type { Terminal } from '../terminal/terminal.js';
import { list } from '../terminal/words.js';
import { SOURCES_STORE, type Plan } from './plan.js';
import { checkPush, isApp, type Sending } from './requests.js';

/** Faults that the user allows. */
export interface Allowed {
  readonly lint: boolean;
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Facts about a package before it is sent. */
export interface Checked {
  /** The service's answer to such a push; null where there is no package. */
  readonly check: Awaited<ReturnType<typeof checkPush>> | null;
  /** Findings of the stores to which it goes, as far as the whole package tells. */
  readonly findings: readonly PushedFinding[];
}

/** The warnings of the service that are no findings. */
export const otherWarnings = (check: NonNullable<Checked['check']>): readonly string[] =>
  check.warnings.filter(({ kind }) => !SEVERITIES.some((severity) => severity === kind)).map(({ message }) => message);

/** Lets the service, the rules of the stores and Mozilla's linter say what will be refused, before anything is sent. */
export async function preflight(
  context: Context,
  service: Service,
  plan: Plan,
  options: Allowed,
): Promise<readonly Checked[]> {
  const { terminal, surroundings } = context;
  if (options.lint) await lintForFirefox(context, plan);
  const checked: Checked[] = [];
  for (const sending of plan.sendings) {
    const check =
      sending.prepared === null || isApp(sending.prepared) ? null : await checkPush(service, sending, sending.prepared);
    checked.push({ check, findings: check === null ? [] : await findingsOf(plan, sending, check) });
  }
  const checks = checked.flatMap(({ check }) => check ?? []);
  for (const message of new Set([...checks.flatMap(otherWarnings), ...plan.unjustified])) terminal.warn(message);
  const found = checked.flatMap(({ findings }) => findings);
  warnOf(terminal, found);
  const held = found.filter((one) => one.holds && isHeeded(one, plan.targets));
  if (held.length > 0)
    terminal.note(
      `Pierhead holds the version for ${list([...new Set(held.map(({ store }) => storeName(store)))])} until you push a mended package, or override this with: pierhead override`,
    );
  const isWider = checks.some(({ warnings }) => warnings.some(({ kind }) => kind === 'wider_access'));
  const asks = (isWider || held.length > 0) && !options.yes && !options.dryRun && terminal.isInteractive;
  if (asks && !(await context.ask.confirm('Push anyway?', '--yes')))
    throw new Failure('Nothing was pushed.', {
      exitCode: surroundings.signal.aborted ? EXIT.interrupted : EXIT.failed,
    });
  return checked;
}

/** Warns of findings, store by store. What a store has taken before is none of the author's worries. */
export function warnOf(terminal: Terminal, findings: readonly PushedFinding[]): void {
  const open = findings.filter(({ acceptedAt }) => acceptedAt === null);
  for (const text of rendered(open, terminal.noteStyle)) terminal.warn(text);
}

/** Adds to what the service finds in the manifest what the whole package shows, each finding once. */
async function findingsOf(
  { targets }: Plan,
  { store, prepared }: Sending,
  { findings: known, decisions }: NonNullable<Checked['check']>,
): Promise<readonly PushedFinding[]> {
  // Where a push goes decides what matters, so that the service tells after the upload to a token that may not read targets.
  if (targets === null || prepared === null) return known;
  const { judge, mattersAt } = await import('../preflight/rules.js');
  const local = (await judge(prepared.path)).filter(
    (one) =>
      (store === null || one.store === store) && targets.some((target) => mattersAt(one, target.store, target.channel)),
  );
  const added = local.filter(({ id }) => !known.some((one) => one.id === id));
  return inOrder([
    ...known,
    ...added.map(({ channels: _channels, itemId: _itemId, ...finding }) => {
      // The service judges the manifest alone, and says of the rest what was decided.
      const decision = decisions.find(({ findingId }) => findingId === finding.id);
      return {
        ...finding,
        holds: finding.severity === 'refused' && decision === undefined,
        overriddenAt: decision?.overriddenAt ?? null,
        overriddenBy: decision?.overriddenBy ?? null,
        acceptedAt: decision?.acceptedAt ?? null,
      };
    }),
  ]);
}

/** Whether a target keeps versions with findings to itself. Pure. */
const isHeeded = ({ store }: PushedFinding, targets: Plan['targets']): boolean =>
  targets?.some((target) => target.store === store && target.preflight === 'hold') ?? true;

/** AMO runs the same linter, and refuses what has errors. */
async function lintForFirefox({ terminal, surroundings }: Context, { sendings, targets }: Plan): Promise<void> {
  if (targets !== null && !targets.some(({ store }) => store === SOURCES_STORE)) return;
  const prepared = sendings.find(({ store }) => store === null || store === SOURCES_STORE)?.prepared;
  if (prepared == null) return;
  const { lint } = await import('../package/index.js');
  const report = await lint(prepared.path, surroundings.cwd, surroundings.signal, () =>
    terminal.note('Running addons-linter…'),
  );
  if (report === null || report.errors.length === 0) return;
  terminal.note(
    `addons-linter ${report.version}: ${report.errors.length === 1 ? '1 error' : `${report.errors.length} errors`}`,
  );
  throw new Failure('Firefox will refuse this package.', {
    errors: report.errors.map(({ file, line, code, message }) => ({
      field: file === null ? code : `${file}${line === null ? '' : `:${line}`}`,
      message,
    })),
    hint: 'Fix this, push to other stores with --store, or skip the linter with --no-lint.',
  });
}

import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { EXIT, Failure } from '../failure.js';
import { SOURCES_STORE, type Plan } from './plan.js';
import { checkPush } from './requests.js';

/** Faults that the user allows. */
export interface Allowed {
  readonly lint: boolean;
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Answer that a push would get. */
export type Check = Awaited<ReturnType<typeof checkPush>>;

/** Lets the service and Mozilla's linter say what they will refuse, before anything is sent. */
export async function preflight(
  context: Context,
  service: Service,
  plan: Plan,
  options: Allowed,
): Promise<readonly (Check | null)[]> {
  const { terminal, surroundings } = context;
  if (options.lint) await lintForFirefox(context, plan);
  const checks: (Check | null)[] = [];
  for (const sending of plan.sendings)
    checks.push(sending.prepared === null ? null : await checkPush(service, sending, sending.prepared));
  const warnings = checks.flatMap((check) => check?.warnings ?? []);
  for (const message of new Set(warnings.map((warning) => warning.message))) terminal.warn(message);
  const asks =
    warnings.some(({ kind }) => kind === 'wider_access') && !options.yes && !options.dryRun && terminal.isInteractive;
  if (asks && !(await context.ask.confirm('Push anyway?', '--yes')))
    throw new Failure('Nothing was pushed.', {
      exitCode: surroundings.signal.aborted ? EXIT.interrupted : EXIT.failed,
    });
  return checks;
}

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

import { Command, CommanderError } from 'commander';
import { attach, type Run, type Surroundings } from './context.js';
import { asFailure, EXIT, usageFailure, withTokenHint, withVersions, type ExitCode } from './failure.js';
import { Terminal, type Streams } from './terminal/terminal.js';

const ENVIRONMENT = `
Environment:
  PIERHEAD_URL       address of the service, instead of the one logged in to last
  PIERHEAD_TOKEN     access token, instead of a log-in; for CI
  PIERHEAD_TENANT    tenant whose trust rules admit the CI job, which then needs no token
  PIERHEAD_PATIENCE  how long to wait for a service that does not answer (default: 30s)
  NO_COLOR, CI       no colors; no questions and no redrawn lines

Exit codes:
  0 done   1 failed   2 wrong usage   3 rejected by a store   4 not allowed
  5 a person is needed   124 waited long enough   130 interrupted`;

const ANOTHER_TOKEN = 'Set PIERHEAD_TOKEN to a valid access token, or unset it and log in with: pierhead login';

const approvals = () => import('./commands/approvals.js');

/** In the order in which help lists them. Each is loaded when it is needed, so that none makes the others start later. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  login: async () => (await import('./commands/login.js')).loginCommand(),
  logout: async () => (await import('./commands/logout.js')).logoutCommand(),
  whoami: async () => (await import('./commands/whoami.js')).whoamiCommand(),
  init: async () => (await import('./commands/init.js')).initCommand(),
  connect: async () => (await import('./commands/connect.js')).connectCommand(),
  status: async () => (await import('./commands/status.js')).statusCommand(),
  next: async () => (await import('./commands/next.js')).nextCommand(),
  diff: async () => (await import('./commands/diff.js')).diffCommand(),
  check: async () => (await import('./commands/check.js')).checkCommand(),
  push: async () => (await import('./commands/push.js')).pushCommand(),
  watch: async () => (await import('./commands/watch.js')).watchCommand(),
  override: async () => (await import('./commands/override.js')).overrideCommand(),
  approvals: async () => (await approvals()).approvalsCommand(),
  approve: async () => (await approvals()).approveCommand(),
  reject: async () => (await approvals()).rejectCommand(),
  rejected: async () => (await import('./commands/rejected.js')).rejectedCommand(),
  privacy: async () => (await import('./commands/privacy.js')).privacyCommand(),
  key: async () => (await import('./commands/key.js')).keyCommand(),
  resubmit: async () => (await import('./commands/requests.js')).resubmitCommand(),
  release: async () => (await import('./commands/requests.js')).releaseCommand(),
  rollout: async () => (await import('./commands/rollout.js')).rolloutCommand(),
  pause: async () => (await import('./commands/requests.js')).pauseCommand(),
  resume: async () => (await import('./commands/requests.js')).resumeCommand(),
  rollback: async () => (await import('./commands/rollback.js')).rollbackCommand(),
  licenses: async () => (await import('./commands/licenses.js')).licensesCommand(),
  orders: async () => (await import('./commands/orders.js')).ordersCommand(),
  sales: async () => (await import('./commands/sales.js')).salesCommand(),
  plans: async () => (await import('./commands/plans.js')).plansCommand(),
  trials: async () => (await import('./commands/trials.js')).trialsCommand(),
  products: async () => (await import('./commands/products.js')).productsCommand(),
  processors: async () => (await import('./commands/processors.js')).processorsCommand(),
  analytics: async () => (await import('./commands/analytics.js')).analyticsCommand(),
  reviews: async () => (await import('./commands/reviews.js')).reviewsCommand(),
  endpoints: async () => (await import('./commands/endpoints.js')).endpointsCommand(),
  tokens: async () => (await import('./commands/tokens.js')).tokensCommand(),
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand(),
  open: async () => (await import('./commands/open.js')).openCommand(),
  'check-sources': async () => (await import('./commands/check-sources.js')).checkSourcesCommand(),
  migrate: async () => (await import('./commands/migrate.js')).migrateCommand(),
  api: async () => (await import('./commands/api.js')).apiCommand(),
  completion: async () => (await import('./commands/completion.js')).completionCommand(),
};

/** Runs a command, and says why it failed. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { streams, env, signal, version, fullVersion } = surroundings;
  const run: Run = { surroundings, exitCode: EXIT.done };
  const program = await createProgram(fullVersion, args, streams);
  attach(program, run);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return run.exitCode;
  } catch (error) {
    // Commander has printed what was asked for, or the help of a group whose command is missing.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = withVersions(asFailure(error), version);
    const isByToken = `${env['PIERHEAD_TOKEN'] ?? ''}${env['PIERHEAD_TENANT'] ?? ''}` !== '';
    new Terminal(streams, env).fail(isByToken ? withTokenHint(failure, ANOTHER_TOKEN) : failure);
    return signal.aborted ? EXIT.interrupted : failure.exitCode;
  }
}

/**
 * The program with the commands that these arguments need: one that they name, none for the version, and all for help, completion and what is
 * mistyped.
 */
export async function createProgram(
  version: string,
  args: readonly string[],
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'> = process,
): Promise<Command> {
  const program = new Command('pierhead')
    .description('Publishes browser extensions to every store, through a Pierhead service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'print only the result, warnings and errors')
    .option('--no-input', 'never prompt; fail if an answer is missing')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Commander also throws the error, and `runProgram` prints it like any other failure.
      outputError: () => undefined,
    })
    .addHelpText('after', ENVIRONMENT);
  explainUsage(program, program.name());
  for (const load of neededBy(args)) adopt(program, await load());
  return program;
}

function neededBy(args: readonly string[]): readonly (() => Promise<Command>)[] {
  const named = args.find((arg) => !arg.startsWith('-'));
  if (named === undefined && args.some((arg) => arg === '--version' || arg === '-V')) return [];
  const isOne = named !== undefined && named !== 'completion' && Object.hasOwn(COMMANDS, named);
  return Object.entries(COMMANDS).flatMap(([name, load]) => (isOne && name !== named ? [] : [load]));
}

/** Adds a command with its subcommands. Commands that were added before do not inherit its settings. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent);
  const path = `${parent.name()} ${command.name()}`;
  explainUsage(command, path);
  for (const subcommand of command.commands) {
    subcommand.copyInheritedSettings(parent);
    explainUsage(subcommand, `${path} ${subcommand.name()}`);
  }
  parent.addCommand(command);
}

/** Makes wrong usage of a command a failure that leads to its help. */
function explainUsage(command: Command, path: string): void {
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const [what = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
    const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}`.replace(/[^.]$/, '$&.');
    const hints = [...suggestions.map((each) => each.replaceAll(/^\(|\)$/g, '')), `Help: ${path} --help`];
    throw usageFailure(sentence, hints.join('\n  '));
  });
}

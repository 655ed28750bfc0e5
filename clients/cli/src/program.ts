import { Command } from 'commander';
import { analyticsCommand } from './commands/analytics.js';
import { apiCommand } from './commands/api.js';
import { checkSourcesCommand } from './commands/check-sources.js';
import { completionCommand } from './commands/completion.js';
import { connectCommand } from './commands/connect.js';
import { initCommand } from './commands/init.js';
import { doctorCommand } from './commands/doctor.js';
import { licensesCommand } from './commands/licenses.js';
import { loginCommand } from './commands/login.js';
import { logoutCommand } from './commands/logout.js';
import { migrateCommand } from './commands/migrate.js';
import { openCommand } from './commands/open.js';
import { pauseCommand, resumeCommand } from './commands/pause.js';
import { planCommand } from './commands/plan.js';
import { pushCommand } from './commands/push.js';
import { releaseCommand } from './commands/release.js';
import { rollbackCommand } from './commands/rollback.js';
import { rolloutCommand } from './commands/rollout.js';
import { statusCommand } from './commands/status.js';
import { watchCommand } from './commands/watch.js';
import { tokensCommand } from './commands/tokens.js';
import { whoamiCommand } from './commands/whoami.js';

const ENVIRONMENT = `
Environment:
  PIERHEAD_URL       address of the service, instead of the one logged in to last
  PIERHEAD_TOKEN     access token, instead of a log-in; for CI
  PIERHEAD_PATIENCE  how long to wait for a service that does not answer (default: 30s)
  NO_COLOR, CI       no colors; no questions and no redrawn lines

Exit codes:
  0 done   1 failed   2 wrong usage   3 rejected by a store   4 not allowed
  5 a person is needed   124 waited long enough   130 interrupted`;

/** In the order in which help lists them. */
const COMMANDS = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  initCommand,
  connectCommand,
  statusCommand,
  planCommand,
  pushCommand,
  watchCommand,
  releaseCommand,
  rolloutCommand,
  pauseCommand,
  resumeCommand,
  rollbackCommand,
  licensesCommand,
  analyticsCommand,
  tokensCommand,
  doctorCommand,
  openCommand,
  checkSourcesCommand,
  migrateCommand,
  apiCommand,
  completionCommand,
];

/** The program with all of its commands. */
export function createProgram(version: string): Command {
  const program = new Command('pierhead')
    .description('Publishes browser extensions to every store, through a Pierhead service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'print nothing but the result, warnings and errors')
    .option('--no-input', 'never ask; fail where an answer is missing')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', ENVIRONMENT);
  for (const command of COMMANDS) adopt(program, command());
  return program;
}

/** Adds a command with its subcommands. Those that were added before inherit nothing by themselves. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) subcommand.copyInheritedSettings(parent);
  parent.addCommand(command);
}

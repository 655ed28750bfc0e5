import { Command, CommanderError } from 'commander';
import { backup } from './commands/backup.command.js';
import { backups } from './commands/backups.command.js';
import { disablePasswordLogin } from './commands/disable-password-login.command.js';
import { enablePasswordLogin } from './commands/enable-password-login.command.js';
import { EXIT } from './exit-codes.js';
import { loginLink } from './commands/login-link.command.js';
import { makeOperator } from './commands/make-operator.command.js';
import { makeOwner } from './commands/make-owner.command.js';
import { PromptCanceled } from './read-password.js';
import { removeOperator } from './commands/remove-operator.command.js';
import { removeSecondFactor } from './commands/remove-second-factor.command.js';
import { resetPassword } from './commands/reset-password.command.js';
import { tenants } from './commands/tenants.command.js';
import { users } from './commands/users.command.js';

const COMMANDS = [
  users,
  tenants,
  resetPassword,
  removeSecondFactor,
  loginLink,
  makeOwner,
  makeOperator,
  removeOperator,
  disablePasswordLogin,
  enablePasswordLogin,
  backup,
  backups,
];

/**
 * Runs a command.
 * @param args without the program's name
 * @returns the exit code
 * @throws any other error, such as a database that cannot be reached
 */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const program = new Command('npm run admin --')
    .description(
      'Commands of the operator. They read the same settings as the service, and work whether or not it runs.',
    )
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 no such user or tenant, 78 invalid settings, 130 canceled.\n`npm run admin -- COMMAND --help` explains a command.',
    );
  for (const command of COMMANDS) program.addCommand(command());
  for (const command of [program, ...program.commands])
    command.exitOverride().showHelpAfterError().allowExcessArguments(false);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return await exitCodeOf(error);
  }
}

async function exitCodeOf(error: unknown): Promise<number> {
  // Commander has printed what is wrong, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof PromptCanceled) return EXIT.canceled;
  // Help, and a mistyped command, are answered without loading the service.
  const { refusalOf } = await import('./refusal-of.js');
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  process.stderr.write(`${refusal.message}\n`);
  return refusal.exitCode;
}

import { Command, CommanderError } from 'commander';
import { NoEmbeddedDatabase } from '../common/database/index.js';
import { NotFoundForOperator, RefusedToOperator } from '../identity/index.js';
import { disablePasswordLogin } from './commands/disable-password-login.command.js';
import { enablePasswordLogin } from './commands/enable-password-login.command.js';
import { EXIT } from './exit-codes.js';
import { loginLink } from './commands/login-link.command.js';
import { makeOwner } from './commands/make-owner.command.js';
import { PasswordsDiffer, PromptCanceled } from './read-password.js';
import { removeSecondFactor } from './commands/remove-second-factor.command.js';
import { resetPassword } from './commands/reset-password.command.js';
import { tenants } from './commands/tenants.command.js';
import { users } from './commands/users.command.js';
import { SchemaOutdated } from './with-operator.js';

const COMMANDS = [
  users,
  tenants,
  resetPassword,
  removeSecondFactor,
  loginLink,
  makeOwner,
  disablePasswordLogin,
  enablePasswordLogin,
];

/**
 * Runs a command.
 * @param args without the program
 * @returns the exit code
 * @throws what else keeps the command from the database, as it would keep the service
 */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const program = new Command('npm run admin --')
    .description(
      'Commands of the operator. They read the same settings as the service, and work while it runs and while it does not.',
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
    return exitCodeOf(error);
  }
}

const EXPLAINED = [NotFoundForOperator, RefusedToOperator, NoEmbeddedDatabase, SchemaOutdated, PasswordsDiffer];

function exitCodeOf(error: unknown): number {
  // Commander has printed what is wrong, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof PromptCanceled) return EXIT.canceled;
  if (!EXPLAINED.some((known) => error instanceof known)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  return error instanceof NotFoundForOperator ? EXIT.notFound : EXIT.failed;
}

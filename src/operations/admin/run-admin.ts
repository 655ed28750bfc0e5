import { Command, CommanderError } from 'commander';
import { FULL_VERSION, typed } from '../../common/system/index.js';
import { COMMANDS } from './commands.js';
import { EXIT } from './exit-codes.js';
import { PromptCanceled } from './read-password.js';

/**
 * Runs a command.
 * @param args without the program's name
 * @returns the exit code
 * @throws any other error, such as a database that cannot be reached
 */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const program = new Command(typed('admin', ''))
    .description(
      'Commands of the operator. They read the same settings as the service, and work whether or not it runs.',
    )
    .version(FULL_VERSION)
    .helpCommand(false)
    .addHelpText(
      'after',
      `\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 no such user or tenant, 78 invalid settings, 130 canceled.\n\`${typed('admin', 'COMMAND --help')}\` explains a command.`,
    );
  for (const command of COMMANDS) program.addCommand(command);
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

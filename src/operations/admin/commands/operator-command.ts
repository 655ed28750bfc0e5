import { Command } from 'commander';
import type { BackupRunsService } from '../../backup/index.js';
import type { OperatorService } from '../operator/index.js';
import { printed, type Printed } from '../output.js';

/** The properties that every command has. */
interface Named {
  readonly name: string;
  /** For the list of commands and the command's own help. */
  readonly summary: string;
  readonly example: string;
}

interface Definition extends Named {
  /** Each argument with what it means. */
  readonly takes?: Readonly<Record<string, string>>;
  /** Runs before the database is opened, and may ask for something. */
  readonly prepare?: () => Promise<string>;
  readonly run: (operator: OperatorService, args: readonly string[], prepared: string) => Promise<Printed>;
}

/** Makes a command that prints a result, as a table or with `--json` as JSON. */
function printingCommand({ name, summary, example }: Named, resultOf: (command: Command) => Promise<Printed>): Command {
  const command = new Command(name)
    .description(summary)
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', `\nExample:\n  $ npm run --silent admin -- ${example}`);
  return command.action(async () => {
    process.stdout.write(printed(await resultOf(command), command.opts()['json'] === true));
  });
}

/** Makes a command that works with the backups. */
export const backupCommand =
  ({ run, ...named }: Named & { readonly run: (backups: BackupRunsService) => Promise<Printed> }) =>
  (): Command =>
    printingCommand(named, async () => {
      const { withBackups } = await import('../with-operator.js');
      return withBackups(named.name, run);
    });

/** Makes a command that works with users and tenants. */
export const operatorCommand =
  ({ takes = {}, prepare = () => Promise.resolve(''), run, ...named }: Definition) =>
  (): Command => {
    const command = printingCommand(named, async ({ args }) => {
      const prepared = await prepare();
      // Last, because it loads the service.
      const { withOperator } = await import('../with-operator.js');
      return withOperator(named.name, (operator) => run(operator, args, prepared));
    });
    for (const [argument, meaning] of Object.entries(takes)) command.argument(`<${argument}>`, meaning);
    return command;
  };

import { Command } from 'commander';
import type { OperatorService } from '../../identity/index.js';
import { printed, type Printed } from '../output.js';

interface Definition {
  readonly name: string;
  /** For the list of commands and the command's own help. */
  readonly summary: string;
  readonly example: string;
  /** Each argument with what it means. */
  readonly takes?: Readonly<Record<string, string>>;
  /** Runs before the database is opened, and may ask for something. */
  readonly prepare?: () => Promise<string>;
  readonly run: (operator: OperatorService, args: readonly string[], prepared: string) => Promise<Printed>;
}

/** Makes a command that prints a result, as a table or with `--json` as JSON. */
export const operatorCommand =
  ({ name, summary, example, takes = {}, prepare = () => Promise.resolve(''), run }: Definition) =>
  (): Command => {
    const command = new Command(name)
      .description(summary)
      .option('--json', 'print JSON instead of a table')
      .addHelpText('after', `\nExample:\n  $ npm run --silent admin -- ${example}`);
    for (const [argument, meaning] of Object.entries(takes)) command.argument(`<${argument}>`, meaning);
    return command.action(async () => {
      const prepared = await prepare();
      // Last, because it loads the service.
      const { withOperator } = await import('../with-operator.js');
      const result = await withOperator(name, (operator) => run(operator, command.args, prepared));
      process.stdout.write(printed(result, command.opts()['json'] === true));
    });
  };

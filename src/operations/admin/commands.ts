import { Command } from 'commander';
import { typed } from '../../common/system/index.js';
import type { BackupRunsService } from '../backup/index.js';
import type { OperatorService } from './operator/index.js';
import { printed, type Printed } from './output.js';
import { readPassword } from './read-password.js';

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
    .addHelpText('after', `\nExample:\n  $ ${typed('admin', example)}`);
  return command.action(async () => {
    process.stdout.write(printed(await resultOf(command), command.opts()['json'] === true));
  });
}

/** Makes a command that works with the backups. */
const backupCommand = ({
  run,
  ...named
}: Named & { readonly run: (backups: BackupRunsService) => Promise<Printed> }): Command =>
  printingCommand(named, async () => {
    const { withBackups } = await import('./with-operator.js');
    return withBackups(named.name, run);
  });

/** Makes a command that works with users and tenants. */
function operatorCommand({ takes = {}, prepare = () => Promise.resolve(''), run, ...named }: Definition): Command {
  const command = printingCommand(named, async ({ args }) => {
    const prepared = await prepare();
    // Last, because it loads the service.
    const { withOperator } = await import('./with-operator.js');
    return withOperator(named.name, (operator) => run(operator, args, prepared));
  });
  for (const [argument, meaning] of Object.entries(takes)) command.argument(`<${argument}>`, meaning);
  return command;
}

const EMAIL = { email: 'e-mail address of the user' };

/** The commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  operatorCommand({
    name: 'users',
    summary: 'Lists all users: their tenants with the role in each, and how they can log in.',
    example: 'users',
    run: (operator) => operator.users(),
  }),
  operatorCommand({
    name: 'tenants',
    summary: 'Lists all tenants with their quota and owners.',
    example: 'tenants --json',
    run: (operator) => operator.tenants(),
  }),
  operatorCommand({
    name: 'reset-password',
    summary:
      "Sets a user's password, which it asks for or reads from standard input, and ends the user's sessions. For a link instead, see login-link.",
    example: 'reset-password ann@example.com < new-password.txt',
    takes: EMAIL,
    prepare: readPassword,
    run: (operator, [email = ''], password) => operator.resetPassword(email, password),
  }),
  operatorCommand({
    name: 'remove-second-factor',
    summary:
      "Removes a user's second factor with its recovery codes, and ends the user's sessions. For a user who has lost the phone and the recovery codes.",
    example: 'remove-second-factor ann@example.com',
    takes: EMAIL,
    run: (operator, [email = '']) => operator.removeSecondFactor(email),
  }),
  operatorCommand({
    name: 'login-link',
    summary:
      'Prints a link that logs a user in once, within 15 minutes, without a password or the identity provider. Give it to that user only.',
    example: 'login-link ann@example.com',
    takes: EMAIL,
    run: (operator, [email = '']) => operator.loginLink(email),
  }),
  operatorCommand({
    name: 'make-owner',
    summary: 'Makes a user an owner of a tenant, whether the user is a member already or not.',
    example: "make-owner ann@example.com 'Studio Ann'",
    takes: { ...EMAIL, tenant: 'id of the tenant, or its name if no other tenant has it' },
    run: (operator, [email = '', tenant = '']) => operator.makeOwner(email, tenant),
  }),
  operatorCommand({
    name: 'make-operator',
    summary: 'Makes a user an operator, who sees the status of this instance and all tenants in the console.',
    example: 'make-operator ann@example.com',
    takes: EMAIL,
    run: (operator, [email = '']) => operator.makeOperator(email),
  }),
  operatorCommand({
    name: 'remove-operator',
    summary: 'Makes an operator an ordinary user again.',
    example: 'remove-operator ann@example.com',
    takes: EMAIL,
    run: (operator, [email = '']) => operator.removeOperator(email),
  }),
  operatorCommand({
    name: 'disable-password-login',
    summary:
      'Disables log-in, sign-up and reset by password immediately, in all processes. Needs OIDC_ISSUER. Sessions continue, and login-link still works.',
    example: 'disable-password-login',
    run: (operator) => operator.disablePasswordLogin(),
  }),
  operatorCommand({
    name: 'enable-password-login',
    summary: 'Reverts disable-password-login. PASSWORD_LOGIN=off still applies where it is set.',
    example: 'enable-password-login',
    run: (operator) => operator.enablePasswordLogin(),
  }),
  backupCommand({
    name: 'backup',
    summary:
      'Writes a backup of the database and the packages to BACKUP_TO, also while the service runs, and deletes old backups by BACKUP_KEEP. It does not contain the keys: store them elsewhere.',
    example: 'backup',
    run: async (backups) => {
      const { isEncrypted: encrypted, ...made } = await backups.make();
      return { ...made, encrypted };
    },
  }),
  backupCommand({
    name: 'backups',
    summary: 'Lists the backups that BACKUP_TO holds, newest first.',
    example: 'backups',
    run: async (service) =>
      (await service.list()).map(({ name, createdAt }) => ({ name, created: createdAt.toISOString() })),
  }),
];

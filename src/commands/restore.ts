import { Command, CommanderError } from 'commander';
import { ACCEPT_UNAUTHENTICATED, BackupFault, restoreBackup, type RestoredBackup } from '../operations/backup/index.js';
import { readEnvironment } from '../common/config/index.js';
import { exitOnSignals, FULL_VERSION, typed, withCommit } from '../common/system/index.js';
import { printFailure } from './start-fault.js';

// `npm run restore`: restores a backup into an empty database, or checks one.

interface Options {
  readonly acceptUnauthenticated?: true;
  readonly check?: true;
  readonly identity?: string;
  readonly json?: true;
}

const USAGE = 2;
const FAILED = 1;

const program = new Command(typed('restore', ''))
  .description(
    'Restores a backup into an empty database and the store of packages. Stop the service first. Reads the same settings as the service.',
  )
  .version(FULL_VERSION)
  .argument('<backup>', 'path of a backup, or the name of one that BACKUP_TO holds')
  .option('--check', 'restore into a temporary database, check it and delete it; the service may run')
  .option('--identity <file>', 'file with the private key of age, for a backup that BACKUP_RECIPIENTS encrypted')
  .option(
    ACCEPT_UNAUTHENTICATED,
    'take a backup though nothing shows that this instance made it: one of an older version, or of lost keys',
  )
  .option('--json', 'print JSON')
  .addHelpText('after', `\nExample:\n  $ ${typed('restore', 'backups/pierhead-20261122T233000000Z.zip --check')}`)
  .allowExcessArguments(false)
  .exitOverride()
  .action(async (backup: string, { acceptUnauthenticated, check, identity, json }: Options) => {
    const isCheck = check === true;
    const read = readEnvironment(process.env, 'migrate');
    const restored = await restoreBackup(read, {
      backup,
      isCheck,
      identityFile: identity,
      acceptUnauthenticated: acceptUnauthenticated === true,
    });
    process.stdout.write(json === true ? `${JSON.stringify(restored, null, 2)}\n` : inWords(restored, isCheck));
    if (isCheck && restored.faults.length > 0) process.exitCode = FAILED;
  });

function inWords(restored: RestoredBackup, isCheck: boolean): string {
  const { createdAt, version, commit, rows, packages, missingPackages, secretsOpened, faults } = restored;
  const lines = [
    `${isCheck ? 'Checked' : 'Restored'} the backup of ${createdAt}, made by version ${withCommit(version, commit)}: ${rows} rows, ${packages} packages.`,
    ...missingPackages.map((key) => `The package ${key} was gone when the backup was made.`),
    ...(faults.length > 0
      ? ['The service does not start with the keys that are configured here:', ...faults.map((fault) => `  - ${fault}`)]
      : [`The configured keys fit: ${secretsOpened} kinds of secrets were decrypted.`]),
  ];
  return `${lines.join('\n')}\n`;
}

exitOnSignals();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else if (error instanceof BackupFault) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = FAILED;
  } else process.exitCode = printFailure(error);
}

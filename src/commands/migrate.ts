import { Command, CommanderError } from 'commander';
import { ConfigFault, readEnvironment } from '../common/config/index.js';
import { migrate } from '../common/database/index.js';
import { FULL_VERSION, typed } from '../common/system/index.js';
import { printFailure } from './start-fault.js';

// `npm run migrate`, for MIGRATE_ON_START=false: brings the schema of DATABASE_URL up to date.

const USAGE = 2;

const program = new Command(typed('migrate', ''))
  .description(
    'Brings the schema of the database at DATABASE_URL up to date. Reads the same settings as the service, which may run meanwhile.',
  )
  .version(FULL_VERSION)
  .allowExcessArguments(false)
  .exitOverride()
  .action(async () => {
    const { databaseUrl, allowSchemaDrift } = readEnvironment(process.env, 'migrate');
    if (databaseUrl === undefined)
      throw new ConfigFault(['DATABASE_URL is required: the embedded database is migrated at every start.']);
    const done = await migrate(databaseUrl, { allowsDrift: allowSchemaDrift });
    process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Ran ${done.join(', ')}.\n`);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else process.exitCode = printFailure(error);
}

import { ConfigFault, readEnvironment } from '../common/config/index.js';
import { migrate } from '../common/database/index.js';
import { printFailure } from './start-fault.js';

// `npm run migrate`, for MIGRATE_ON_START=false: brings the schema of DATABASE_URL up to date.
try {
  const { databaseUrl } = readEnvironment(process.env, 'migrate');
  if (databaseUrl === undefined)
    throw new ConfigFault(['DATABASE_URL is required: the embedded database is migrated at every start.']);
  const done = await migrate(databaseUrl);
  process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Ran ${done.join(', ')}.\n`);
} catch (error) {
  process.exitCode = printFailure(error);
}

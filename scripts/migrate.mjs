// npm run migrate: brings the database schema up to date and exits.
import { flagsOf } from './arguments.mjs';
import { ensureBuilt } from './built.mjs';

flagsOf(
  'npm run migrate',
  'Brings the schema of the database at DATABASE_URL up to date. Reads the same settings as the service.',
);
ensureBuilt();
await import('../dist/commands/migrate.js');

// npm run migrate: brings the database schema up to date, and ends.
import { flagsOf } from './arguments.mjs';
import { ensureBuilt } from './built.mjs';

flagsOf('npm run migrate', "Brings the database at DATABASE_URL up to date, with the service's environment.");
ensureBuilt();
await import('../dist/migrate.js');

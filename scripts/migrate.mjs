// npm run migrate: brings the database schema up to date and exits.
import { ensureBuilt } from './built.mjs';

ensureBuilt();
await import('../dist/commands/migrate.js');

// npm run admin: runs a command of the operator on the database of the service, also while the service runs.
import { ensureBuilt } from './built.mjs';

ensureBuilt();
await import('../dist/commands/admin.js');

// npm run restore: restores a backup, or checks one.
import { ensureBuilt } from './built.mjs';

ensureBuilt();
await import('../dist/commands/restore.js');

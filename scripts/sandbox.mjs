// npm run sandbox: local stand-ins for the stores. Prints their URLs and a seeded account for each.
import { ensureBuilt } from './built.mjs';

ensureBuilt();
await import('../dist/sandbox/main.js');

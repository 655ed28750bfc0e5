// npm run sandbox: local stand-ins for the stores. Prints their URLs and a seeded account for each.
import { flagsOf } from './arguments.mjs';
import { ensureBuilt } from './built.mjs';

flagsOf('npm run sandbox', 'Runs stand-ins for the stores and payment processors, on SANDBOX_PORT or a free port.');
ensureBuilt();
await import('../dist/sandbox/main.js');

// npm run sandbox: stand-ins for the stores and payment processors. Prints their URLs and a seeded account for each store.
import { flagsOf } from './arguments.mjs';

flagsOf('npm run sandbox', 'Runs stand-ins for the stores and payment processors, on SANDBOX_PORT or a free port.');
// It has no build of its own: SWC strips its types as it is loaded.
await import('@swc-node/register/esm-register');
await import('../sandbox/main.ts');

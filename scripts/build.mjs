// npm run build: builds everything anew. Starting, testing and packing build only what is missing or out of date.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureClientsBuilt, ensureClusterBuilt, ensureConsoleBuilt, ROOT } from './built.mjs';

for (const path of ['dist', 'console/dist', 'clients/cli/dist', 'clients/dist'])
  rmSync(join(ROOT, path), { recursive: true, force: true });
ensureBuilt();
ensureClusterBuilt();
ensureClientsBuilt();
ensureConsoleBuilt();

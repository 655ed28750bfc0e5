// npm run sim: runs years of the whole service in one process, in which everything goes wrong, and checks that it keeps its promises.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiled } from '../test/support/compiled.mjs';

const { folder, remove } = await compiled(['test/simulator', 'test/reconcile', 'test/webhooks']);
const child = spawn(
  process.execPath,
  ['--no-warnings', join(folder, 'test/simulator/main.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
const [code] = await once(child, 'exit');
await remove();
process.exitCode = code ?? 1;

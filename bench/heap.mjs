// Loaded into a service by `--import=…/heap.mjs?folder=…`: at SIGUSR2 it collects its garbage, and leaves there, in a file named after its
// process, how many bytes its heap still holds. Resident memory says less: it depends on when garbage was last collected.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const folder = new URL(import.meta.url).searchParams.get('folder');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  // What waited for its finalizer goes with the second collection.
  setImmediate(() => {
    collect();
    const path = join(folder, `heap-${process.pid}`);
    writeFileSync(`${path}.new`, String(process.memoryUsage().heapUsed));
    renameSync(`${path}.new`, path);
  });
});

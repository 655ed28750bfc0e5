// Compiles the simulator, and starts a process for each of its runs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { compiled } from '../test/support/compiled.mjs';

/** Runs that have not ended, and folders that are to be removed at the end. */
const running = new Set();
const folders = new Set();
// A run never waits for anything real, so it cannot notice that nobody is left to hear of it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const child of running) child.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });

/** Makes a database without tables, of which each run has a copy: to make one takes longer than all else before a run begins. */
export async function emptyDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-snapshot-'));
  folders.add(folder);
  const path = join(folder, 'empty.tar');
  const database = await PGlite.create();
  await writeFile(path, Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer()));
  await database.close();
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/**
 * @param snapshot an `emptyDatabase`
 * @param edits what to change in the sources, by path
 */
export async function simulation(snapshot, edits = {}) {
  const { folder, remove } = await compiled(['test/simulator', 'test/reconcile', 'test/webhooks'], edits);
  folders.add(folder);
  /** @param timeout in milliseconds; none by default @returns the run's `Outcome` */
  const play = async (wish, timeout = 0) => {
    const run = JSON.stringify({ only: null, parts: null, isTraced: false, snapshot: snapshot.path, ...wish });
    const child = fork(join(folder, 'test/simulator/main.js'), [run], {
      execArgv: ['--no-warnings', '--max-semi-space-size=64'],
      timeout,
      killSignal: 'SIGKILL',
    });
    const heard = [];
    child.on('message', (message) => void heard.push(message));
    running.add(child);
    const [code] = await once(child, 'exit');
    running.delete(child);
    const [outcome] = heard;
    if (outcome === undefined) throw new Error(`The run of seed ${wish.seed} ended with code ${code}`);
    return outcome;
  };
  return { play, remove };
}

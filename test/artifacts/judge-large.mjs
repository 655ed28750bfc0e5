// node test/artifacts/judge-large.mjs <package>: reads and judges it several times, and prints for how many milliseconds at most anything else
// had to wait for its turn in each run, and by how many bytes the memory grew after the first. A process of its own: in that of the tests, the
// garbage collector would stop it to look through what all tests before it have left.
import { existsSync, openSync, readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { inspectArchive, inTurns } from '../../dist/artifacts/archive/index.js';
import { storeByStore } from '../../dist/stores/pure.js';

const RUNS = 8;
/** Where Linux tells for how many nanoseconds the main thread has run: other programs and other threads do not add to it. */
const RUN_TIME = '/proc/self/schedstat';

/** @returns a clock of the milliseconds for which this thread worked; of those that passed where nothing tells these */
function threadClock() {
  if (!existsSync(RUN_TIME)) return () => performance.now();
  const file = openSync(RUN_TIME, 'r');
  const told = Buffer.alloc(64);
  return () => Number(told.toString('latin1', 0, readSync(file, told, 0, told.length, 0)).split(' ', 1)[0]) / 1e6;
}

const worked = threadClock();

async function longestWait(work) {
  let longest = 0;
  const state = { isDone: false };
  const end = work.finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    const begun = worked();
    await turn();
    longest = Math.max(longest, worked() - begun);
  }
  await end;
  return longest;
}

async function judge(path) {
  const { facts } = await inspectArchive(path);
  await inTurns(storeByStore(facts));
}

const waits = [await longestWait(judge(process.argv[2]))];
const before = process.memoryUsage().rss;
while (waits.length < RUNS) waits.push(await longestWait(judge(process.argv[2])));
process.stdout.write(JSON.stringify({ waits, growth: process.memoryUsage().rss - before }));

// A preload of a service: on SIGUSR2 it writes to the file LONGEST_BLOCK for how many milliseconds at most the main thread has worked without a
// turn for others since it wrote the last time.
import { openSync, existsSync, readSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Where Linux tells for how many nanoseconds the main thread has run: other programs and other threads do not add to it. */
const RUN_TIME = '/proc/self/schedstat';

/** @returns a clock of the milliseconds for which this thread worked; of those that passed where nothing tells these */
function threadClock() {
  if (!existsSync(RUN_TIME)) return () => performance.now();
  const file = openSync(RUN_TIME, 'r');
  const told = Buffer.alloc(64);
  return () => Number(told.toString('latin1', 0, readSync(file, told, 0, told.length, 0)).split(' ', 1)[0]) / 1e6;
}

if (isMainThread) {
  const worked = threadClock();
  let last = worked();
  let longest = 0;
  const look = () => {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(look, 1).unref();
  process.on('SIGUSR2', () => {
    look();
    writeFileSync(process.env.LONGEST_BLOCK, String(longest));
    longest = 0;
  });
}

// npm run bench:footprint: how soon a service on its embedded database is ready, and how much memory it takes, also when a large package is
// pushed. With the settings of glibc that the image and the systemd unit have. `-- --smoke` only shows that it works.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureClusterBuilt } from '../scripts/built.mjs';
import { NOISY_CORES, watchOthers } from './noise.mjs';
import { makePackage, measure, newAuthor, pushing, watchMemory } from './pushes.mjs';
import { median, megabytes, memoryOf, note, onStage, say, scratchFolder, startService } from './stage.mjs';

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, rounds: { type: 'string', default: '3' } },
});
const ROUNDS = options.smoke ? 1 : Number(options.rounds);
const PACKAGE_BYTES = options.smoke ? 5e6 : 199e6;
/** What begins with the service, such as its first look at the stores, has ended after this. */
const SETTLED_MS = options.smoke ? 0 : 5000;
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

const seconds = (figure) => figure.toFixed(2);
/** @type {readonly { what: string, of: string, atMost: number, write: (figure: number) => string }[]} */
const ROWS = [
  { what: 'ready after the first start, s', of: 'first', atMost: 3, write: seconds },
  { what: 'ready after a later start, s', of: 'later', atMost: 1.5, write: seconds },
  { what: 'memory after the first start, MB', of: 'firstMemory', atMost: 300e6, write: megabytes },
  { what: 'memory after a later start, MB', of: 'laterMemory', atMost: 300e6, write: megabytes },
  { what: 'memory after a push of 200 MB, MB', of: 'pushedMemory', atMost: 400e6, write: megabytes },
  { what: 'highest while it is pushed, MB', of: 'peak', atMost: 400e6, write: megabytes },
];

async function started(folder) {
  const began = performance.now();
  const service = await startService(folder, ENVIRONMENT);
  const ready = (performance.now() - began) / 1000;
  await pause(SETTLED_MS);
  return { ...service, ready, memory: memoryOf(service.pid).resident };
}

async function stop({ child }) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function goRound() {
  const folder = await scratchFolder();
  const data = join(folder, 'data');
  const first = await started(data);
  const author = await newAuthor(first);
  await stop(first);
  const later = await started(data);
  const made = await makePackage(join(folder, 'package.zip'), '1.0.0', PACKAGE_BYTES);
  const watched = watchMemory(later.pid);
  await measure(pushing(later, author), made);
  const { peak } = watched();
  await pause(SETTLED_MS);
  const pushedMemory = memoryOf(later.pid).resident;
  await stop(later);
  return {
    first: first.ready,
    later: later.ready,
    firstMemory: first.memory,
    laterMemory: later.memory,
    pushedMemory,
    peak,
  };
}

function report(rounds, others) {
  say(`\nEmbedded database, Node ${process.version}, ${availableParallelism()} cores; rounds: ${rounds.length}\n`);
  for (const { what, of, atMost, write } of ROWS) {
    const figures = rounds.map((round) => round[of]);
    const [middle, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)];
    const verdict = options.smoke ? 'not judged' : middle <= atMost ? 'met' : 'missed';
    say(
      `  ${what.padEnd(34)}${write(middle).padStart(8)}  (${write(least)} to ${write(most)})  at most ${write(atMost)}: ${verdict}`,
    );
  }
  say(
    `\n  Others kept ${others.toFixed(2)} cores busy meanwhile${others > NOISY_CORES ? ': too noisy to judge, repeat' : ''}`,
  );
}

async function run() {
  ensureBuilt();
  ensureClusterBuilt();
  const stopWatch = watchOthers();
  const rounds = [];
  for (let at = 1; at <= ROUNDS; at += 1) {
    note(`Round ${at} of ${ROUNDS}…`);
    rounds.push(await goRound());
  }
  report(rounds, stopWatch());
}

await onStage(run);

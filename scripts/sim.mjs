// npm run sim: runs years of replicas, stores and people in one process in which everything goes wrong, and checks the service's promises.
// A seed determines a run. Of a run that fails, the shortest list of faults is looked for that fails in the same way.
import { parseArgs } from 'node:util';
import { emptyDatabase, simulation } from './simulation.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    years: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    parts: { type: 'string' },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

/** Who plays so many days in all its runs comes to judge by each law. */
const ENOUGH_DAYS = 60;

const say = (line) => process.stdout.write(`${line}\n`);
/** What went wrong is said where it is seen also by who reads no results. */
const complain = (line) => process.stderr.write(`${line}\n`);
const began = Date.now();
/** With `--seconds`, one seed follows another for as long. */
const isOver = (runs) =>
  options.seconds === undefined ? runs >= Number(options.runs) : Date.now() - began >= Number(options.seconds) * 1000;
const isOne = options.runs === '1' && options.seconds === undefined;
const snapshot = await emptyDatabase();
const { play, remove } = await simulation(snapshot);
const years = Number(options.years);
/** Those of the world whose people act, such as `selling,mailing`. */
const parts = options.parts?.split(',') ?? null;

/** The part of a failure that stays the same with fewer faults: its first line without numbers, ids and times. */
const kindOf = ({ failure }) => failure?.split('\n')[0].replaceAll(/[\d.:-]+|[0-9a-f-]{36}/g, '*');

/** Leaves out pieces of the list for as long as the run fails in the same way (delta debugging). */
async function shortest(seed, failed) {
  let faults = failed.faults;
  for (let pieces = 2; faults.length > 0 && pieces <= 2 * faults.length;) {
    const size = Math.ceil(faults.length / pieces);
    let isShorter = false;
    for (let at = 0; at < faults.length && !isShorter; at += size) {
      const rest = [...faults.slice(0, at), ...faults.slice(at + size)];
      const outcome = await play({ seed, years, parts, only: rest });
      if (kindOf(outcome) !== kindOf(failed)) continue;
      complain(`  it fails with ${outcome.faults.length} faults as well`);
      faults = outcome.faults;
      isShorter = true;
    }
    pieces = isShorter ? 2 : pieces * 2;
  }
  return faults;
}

let failures = 0;
/** How many days were played, and how often each law was judged meanwhile. */
let played = 0;
const judged = {};
for (let number = 0; !isOver(number); number += 1) {
  const seed = isOne ? options.seed : `${options.seed}.${number}`;
  const only = options.only === undefined ? null : JSON.parse(options.only);
  const outcome = await play({ seed, years, parts, only, isTraced: options.trace });
  const { failure, faults, digest, steps, days, seconds, megabytes, trace } = outcome;
  say(
    `seed ${seed}: ${days} days, ${steps} steps, ${faults.length} faults in ${seconds.toFixed(0)} s, ${megabytes} MB; digest ${digest}`,
  );
  played += days;
  for (const [law, times] of Object.entries(outcome.judged)) judged[law] = (judged[law] ?? 0) + times;
  if (failure === null) continue;
  failures += 1;
  for (const line of trace) complain(`  ${line}`);
  complain(`seed ${seed} failed at step ${steps}: ${failure}`);
  const chosen = parts === null ? '' : ` --parts ${parts.join(',')}`;
  complain(`npm run sim -- --seed ${seed} --years ${years}${chosen} repeats it`);
  if (options.shrink)
    complain(`these faults are enough: --seed ${seed} --only '${JSON.stringify(await shortest(seed, outcome))}'`);
}
await remove();
await snapshot.remove();
const unreached = Object.keys(judged).filter((law) => judged[law] === 0);
// A run that failed, or in which faults were left out, may have ended before it came to all of them.
const isLongEnough = failures === 0 && options.only === undefined && parts === null && played >= ENOUGH_DAYS;
if (isLongEnough) for (const law of unreached) complain(`In ${played} days, nothing was judged by this law: ${law}`);
process.exitCode = failures === 0 && !(isLongEnough && unreached.length > 0) ? 0 : 1;

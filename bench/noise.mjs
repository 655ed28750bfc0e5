// How many cores other processes keep busy during a measurement, which says how far a figure can be trusted. Works on Linux only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isForOthers } from './databases.mjs';
import { note, undoLater } from './stage.mjs';

/** Processor time is counted in ticks of this many a second. */
const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 1000;
/** More than this, in cores, and what was measured is measured again. */
export const NOISY_CORES = 0.15;
/** How often a measurement is repeated at most. */
const REPEATS = 4;
const KERNEL_THREADS = 2;
/** No process that a benchmark starts is further from it; processes that end while they are listed must not lead in circles. */
const DEEPEST = 32;

/** @typedef {{ parent: number, name: string, ticks: number }} Process */

/** @returns {Map<number, Process>} by process id */
function processes() {
  const all = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d/.test(entry)) continue;
    try {
      const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'));
      const fields = rest.split(' ');
      all.set(Number(entry), { name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended since it was listed.
    }
  }
  return all;
}

/** Ticks spent so far by everybody on this machine, or taken from it by its host; interrupts are left out, being mostly our own. */
function ticksOfAll() {
  const [user, nice, system, , , , , stolen = 0] = readFileSync('/proc/stat', 'utf8')
    .slice('cpu '.length)
    .trimStart()
    .split('\n')[0]
    .split(' ')
    .map(Number);
  return user + nice + system + stolen;
}

/** What a process calls itself. @param {number} pid */
function titleOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Who is not foreign: this process with all that it has started, the database server but for its work for others, and the kernel's threads,
 * which write to the disk on behalf of the measured process.
 * @param {Map<number, Process>} all
 * @param {number | null} server one of the server's processes
 */
function ownOf(all, server) {
  const postmaster = all.get(server)?.name.startsWith('postgres') ? all.get(server).parent : null;
  const isOwn = (pid, depth = 0) => {
    if (pid === process.pid || pid === KERNEL_THREADS || pid === postmaster) return true;
    const parent = all.get(pid)?.parent ?? 0;
    if (parent === postmaster && isForOthers(titleOf(pid))) return false;
    return parent > 1 && depth < DEEPEST && isOwn(parent, depth + 1);
  };
  return [...all.keys()].filter((pid) => isOwn(pid));
}

/**
 * Watches from now on.
 * @param {number | null} server one of the processes of a database server that is measured with
 * @returns {() => number} ends the watch, and says how many cores others kept busy; NaN where it cannot be measured
 */
export function watchOthers(server = null) {
  if (!existsSync('/proc/stat')) return () => NaN;
  const started = performance.now();
  const startedAt = ticksOfAll();
  const seen = new Map();
  let own = 0;
  const sample = (isFirst = false) => {
    const all = processes();
    for (const pid of ownOf(all, server)) {
      const { ticks } = all.get(pid);
      // A process that appears during the measurement started in the meantime.
      own += isFirst ? 0 : ticks - (seen.get(pid) ?? 0);
      seen.set(pid, ticks);
    }
  };
  sample(true);
  const timer = setInterval(sample, SAMPLE_MS);
  undoLater(async () => clearInterval(timer));
  return () => {
    clearInterval(timer);
    sample();
    const elapsed = ((performance.now() - started) / 1000) * TICKS_PER_SECOND;
    return Math.max(0, (ticksOfAll() - startedAt - own) / elapsed);
  };
}

/**
 * Measures until no other process has disturbed a run, or `repeats` is used up; then takes the quietest run. A run that fails, as connections do when
 * the machine stands still for seconds, is measured again as well.
 * @template Result
 * @param {() => Promise<() => Promise<Result>>} prepare gets ready, which may be disturbed, and returns what is measured
 * @param {{ server?: number | null, repeats?: number, name: string }} how
 * @returns {Promise<{ result: Result, others: number }>} with the cores that others kept busy
 * @throws what the last one failed with
 */
export async function undisturbed(prepare, { server, repeats = REPEATS, name }) {
  const done = [];
  for (let left = repeats; left >= 0; left -= 1) {
    const measure = await prepare();
    const stop = watchOthers(server);
    try {
      const result = await measure();
      done.push({ result, others: stop() });
    } catch (error) {
      stop();
      if (left === 0) throw new Error(`${name} could not be measured`, { cause: error });
      note(`  ${name}: ${error.message}; once more`);
      continue;
    }
    const { others } = done.at(-1);
    if (!(others > NOISY_CORES)) break;
    if (left > 0) note(`  ${name}: others kept ${others.toFixed(2)} cores busy; once more`);
  }
  const [quietest] = done.toSorted((one, other) => one.others - other.others);
  return quietest;
}

// npm run bench: the hot routes beside the reference programs, in one run; writes bench/results.md. On the server at DATABASE_URL or the
// local one, in databases of its own that are dropped again; what needs no server alone when none answers. `-- --smoke` only shows that
// it works; `-- --only activate --only ping` measures the rows that say so, and writes nothing; `-- --rounds 3 --seconds 3 --seats 500000
// --most 5000000 --repeats 2` measures otherwise, repeats being how often a run that others disturbed is made again.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { ensureBuilt, ROOT } from '../scripts/built.mjs';
import { serverAnswers, serverFacts, serverProcess } from './databases.mjs';
import { prepare, startLoader } from './load/loader.mjs';
import { measureDeliveries } from './deliveries.mjs';
import { undisturbed } from './noise.mjs';
import { programs } from './programs.mjs';
import { measurePublishing } from './publish.mjs';
import { measurePushes } from './pushes.mjs';
import { report } from './report.mjs';
import { CEILING, DELIVERED, GROWTH, LOADED, neededFor, PATIENCE, PUBLISHED, PUSHED } from './rows.mjs';
import { note, onStage, say } from './stage.mjs';

/** @typedef {import('./programs.mjs').Load} Load */
/** @typedef {Record<string, import('./report.mjs').Measured>} Round */

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    seats: { type: 'string', default: '500000' },
    most: { type: 'string', default: '5000000' },
    repeats: { type: 'string', default: '2' },
  },
});
const isSmoke = options.smoke;
const ROUNDS = isSmoke ? 1 : Number(options.rounds);
const SECONDS = isSmoke ? 0.3 : Number(options.seconds);
const WARM_SECONDS = isSmoke ? 0.1 : Math.min(2, SECONDS);
const WARM_TIMES = isSmoke ? 1 : 6;
/** A run that is faster by this than the one before shows that there is more to come. */
const STILL_WARMING = 1.05;
const REPEATS = isSmoke ? 0 : Number(options.repeats);
const SIZES = isSmoke
  ? { seats: 1000, few: 500, most: 500, same: 1000, seconds: SECONDS }
  : {
      seats: Number(options.seats),
      few: 10_000,
      most: Number(options.most),
      same: 200_000,
      seconds: SECONDS,
    };
const CONNECTIONS = 32;
const STORE_CALL_MS = isSmoke ? 10 : 300;
const DELIVERIES = isSmoke ? 20 : 1000;
const PACKAGE_BYTES = isSmoke ? 5e6 : 150e6;

/** @param {{ what: string }} row */
const isWanted = ({ what }) => options.only.length === 0 || options.only.some((word) => what.includes(word));

/**
 * Gets ready to send a load once.
 * @param {ReturnType<typeof startLoader>} loader
 * @param {Load} load
 * @param {number} seconds
 * @param {number} [perSecond] how many to send; otherwise as many as it answers
 */
async function ready(loader, load, seconds, perSecond) {
  await load.before?.();
  const prepared = prepare(load.url, load, load.bodies?.() ?? []);
  const { expected, isOnce } = load;
  return () => loader.send(prepared, { connections: CONNECTIONS, seconds, expected, isOnce, perSecond });
}

/** Sends each load until it becomes no faster, as code does that has been compiled for what it meets. */
async function warmUp(loader, loads) {
  for (const load of Object.values(loads)) {
    let before = 0;
    for (let time = 1; time <= WARM_TIMES; time += 1) {
      const send = await ready(loader, load, WARM_SECONDS);
      const figures = await send();
      if (figures.perSecond < before * STILL_WARMING) break;
      before = figures.perSecond;
    }
  }
}

/**
 * Measures every program once after another.
 * @param {ReturnType<typeof startLoader>} loader
 * @param {Record<string, Load>} loads
 * @param {number | null} server one of its processes
 * @returns {Promise<Round>}
 */
async function goRound(loader, loads, server) {
  const round = {};
  for (const [name, load] of Object.entries(loads)) {
    const how = { server, repeats: REPEATS, name };
    const { result, others } = await undisturbed(() => ready(loader, load, SECONDS), how);
    round[name] = { ...result, others };
  }
  const { measured, of } = PATIENCE;
  if (loads[of] !== undefined && isWanted(PATIENCE)) {
    const how = { server, repeats: REPEATS, name: measured };
    const half = round[of].perSecond / 2;
    const { result, others } = await undisturbed(() => ready(loader, loads[of], SECONDS, half), how);
    round[measured] = { ...result, others };
  }
  return round;
}

/** @returns {Promise<Round[]>} */
async function measureLoads(hasServer) {
  const rows = LOADED.filter(isWanted);
  const startable = programs(SIZES, hasServer);
  const needed = [...neededFor(rows), ...(isWanted(PATIENCE) ? [PATIENCE.of] : [])];
  const names =
    needed.length === 0 ? [] : [...new Set([CEILING, ...needed])].filter((name) => startable[name] !== undefined);
  const loads = {};
  for (const name of names) loads[name] = await startable[name]();
  const server = hasServer ? await serverProcess() : null;
  const loader = startLoader();
  note('Warming up…');
  await warmUp(loader, loads);
  const rounds = [];
  for (let at = 1; names.length > 0 && at <= ROUNDS; at += 1) {
    const round = await goRound(loader, loads, server);
    const figures = Object.entries(round).map(([name, { perSecond }]) => `${name} ${perSecond.toFixed(0)}/s`);
    note(`Round ${at} of ${ROUNDS}: ${figures.join(', ')}`);
    rounds.push(round);
  }
  return rounds;
}

/** @template Result @param {number} times @param {() => Promise<Result>} work @returns {Promise<Result[]>} */
async function inTurn(times, work) {
  const results = [];
  for (let at = 1; at <= times; at += 1) results.push(await work());
  return results;
}

async function run() {
  ensureBuilt();
  const hasServer = await serverAnswers();
  if (!hasServer) note('No PostgreSQL server answers: only what needs none is measured.');
  const rounds = await measureLoads(hasServer);
  const published = isWanted(PUBLISHED) ? await measurePublishing(ROUNDS, STORE_CALL_MS) : [];
  const pushes = [PUSHED, GROWTH].some(isWanted)
    ? await measurePushes(Math.max(ROUNDS, isSmoke ? 1 : 5), PACKAGE_BYTES)
    : null;
  const delivered =
    hasServer && Object.values(DELIVERED).some(isWanted)
      ? await inTurn(ROUNDS, () => measureDeliveries(DELIVERIES))
      : [];
  const { seats, few, most, same } = SIZES;
  const results = report({
    rounds,
    published,
    delivered,
    pushes,
    server: hasServer ? await serverFacts() : 'no PostgreSQL server',
    how: `${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections; ${seats} seats, few being ${few}, most ${most}, and ${same} beside the embedded database.`,
    isJudged: !isSmoke,
  });
  const text = await format(results, { parser: 'markdown', ...(await resolveConfig(import.meta.filename)) });
  say(text);
  if (!isSmoke && options.only.length === 0) await writeFile(join(ROOT, 'bench/results.md'), text);
}

await onStage(run);

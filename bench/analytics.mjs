// npm run bench:analytics: how many pings a second are counted beside bare node:http with one INSERT for each, and how long a report takes
// over a year of roll-ups and today's five million pings. On the server at DATABASE_URL, in a database of its own that is dropped again.
// `-- --smoke` only shows that it works; `-- --rounds 5`, `-- --seconds 10` and `-- --pings 5000000` measure otherwise.
import { randomUUID } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/built.mjs';
import { COUNTRIES, makeClosedDays, VERSIONS } from './closed-days.mjs';
import { newDatabase } from './databases.mjs';
import { prepare, startLoader } from './load/loader.mjs';
import {
  median,
  note,
  onStage,
  say,
  scratchFolder,
  serverKeys,
  signUp,
  startReference,
  startService,
} from './stage.mjs';

/** @typedef {{ name: string, url: string, extensionId: string }} Contestant */

const CONNECTIONS = 32;
/** More than any program here can answer. */
const MAX_PER_SECOND = 60_000;
const MIN_RATIO = 1.5;
const MAX_REPORT_MS = 100;
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    pings: { type: 'string', default: '5000000' },
  },
});
const ROUNDS = options.smoke ? 1 : Number(options.rounds);
const SECONDS = options.smoke ? 1 : Number(options.seconds);
const PINGS = options.smoke ? 2000 : Number(options.pings);
const DAYS = options.smoke ? 30 : 364;
const REPORTS = options.smoke ? 5 : 200;

// --- who is measured --------------------------------------------------------------------------------------------------

/** @param {string} databaseUrl */
async function startContestant(databaseUrl) {
  const { origin } = await startService(await scratchFolder(), { ...serverKeys(), DATABASE_URL: databaseUrl });
  const { api } = await signUp(origin);
  const extension = async (name) => (await api('POST', '/extensions', { name })).body.id;
  return {
    pinged: { name: 'service', url: `${origin}/api/v1/analytics/ping`, extensionId: await extension('Pinged') },
    reported: await extension('Reported'),
    api,
  };
}

// --- pings ------------------------------------------------------------------------------------------------------------

/**
 * Pings as fast as it goes, each from another install.
 * @param {ReturnType<typeof startLoader>} loader
 * @param {Contestant} contestant
 * @param {number} seconds
 */
async function load(loader, { url, extensionId }, seconds) {
  const bodies = Array.from({ length: seconds * MAX_PER_SECOND }, () =>
    JSON.stringify({ installId: randomUUID(), extensionId, version: '1.2.3', language: 'en-US' }),
  );
  const prepared = prepare(url, { headers: { 'user-agent': USER_AGENT } }, bodies);
  return loader.send(prepared, { connections: CONNECTIONS, seconds, isOnce: true });
}

// --- the report -------------------------------------------------------------------------------------------------------

/** Pings of today, each chunk a transaction of its own as pings are. */
const TODAY = `
  insert into install_day (extension_id, day, install, version, language, browser, browser_major, os, country)
  select $1, (now() at time zone 'utc')::date, gen_random_uuid(), '1.' || (n % 300), chr(97 + n % 26) || 'a',
         'Chrome', 100 + n % 30, 'Windows', chr(65 + n % ${COUNTRIES} / 26) || chr(65 + n % 26)
    from generate_series($2::int, $3::int) as n`;

async function measureReports(client, { reported, api }) {
  note(`Making ${DAYS} closed days and ${PINGS} pings of today by SQL…`);
  await makeClosedDays(client, reported, DAYS);
  const chunk = 50_000;
  for (let from = 0; from < PINGS; from += chunk)
    await client.query(TODAY, [reported, from, Math.min(PINGS, from + chunk) - 1]);
  note('Waiting until the service has read them…');
  const started = performance.now();
  const active = () =>
    client.query(
      'select coalesce(sum(active), 0)::int as read from stat_total where extension_id = $1 and active <> 250000',
      [reported],
    );
  for (;;) {
    const { rows } = await active();
    if (rows[0].read >= PINGS) break;
    await pause(500);
  }
  const readSeconds = (performance.now() - started) / 1000;
  // As autovacuum would have done meanwhile; without knowing the tables the planner reads all of today for its last second.
  await client.query('vacuum analyze');
  const to = new Date();
  const from = new Date(to.getTime() - DAYS * 86_400_000).toISOString().slice(0, 10);
  const ask = async () => {
    const asked = performance.now();
    const { body } = await api('GET', `/extensions/${reported}/analytics?from=${from}`);
    const ms = performance.now() - asked;
    if (body.days?.at(-1)?.active !== PINGS) throw new Error(`The report says ${JSON.stringify(body.days?.at(-1))}`);
    return ms;
  };
  for (let time = 0; time < 10; time += 1) await ask();
  const times = [];
  for (let time = 0; time < REPORTS; time += 1) times.push(await ask());
  return { times: times.toSorted((a, b) => a - b), readSeconds };
}

// --- the run ----------------------------------------------------------------------------------------------------------

async function run() {
  ensureBuilt();
  const { url, client } = await newDatabase();
  const references = [];
  for (const mode of ['single', 'batches']) {
    const { origin } = await startReference('ping-server.mjs', [mode, url]);
    references.push({ name: mode, url: origin, extensionId: randomUUID() });
  }
  const service = await startContestant(url);
  const contestants = [...references, service.pinged];
  const loader = startLoader();
  note('Warming up…');
  let sent = 0;
  for (const one of contestants) {
    const warm = await load(loader, one, Math.min(2, SECONDS));
    if (one === service.pinged) sent += warm.sent;
  }
  const rounds = [];
  for (let at = 1; at <= ROUNDS; at++) {
    const figures = {};
    for (const one of contestants) figures[one.name] = await load(loader, one, SECONDS);
    sent += figures.service.sent;
    note(
      `Round ${at} of ${ROUNDS}: ${Object.entries(figures)
        .map(([name, { perSecond }]) => `${name} ${perSecond.toFixed(0)}/s`)
        .join(', ')}`,
    );
    rounds.push(figures);
  }
  await checkCounted(service, sent);
  report(rounds, await measureReports(client, service));
}

/** Whatever was answered must have been counted. */
async function checkCounted({ pinged, api }, sent) {
  const { body } = await api('GET', `/extensions/${pinged.extensionId}/analytics`);
  const { days } = body;
  const counted = days.slice(-2).reduce((sum, { active }) => sum + active, 0);
  if (counted < sent) throw new Error(`${sent} pings were answered, and ${counted} counted`);
}

const row = (name, cells, rest = '') =>
  say(`  ${name.padEnd(38)}${cells.map((cell) => cell.padStart(9)).join('')}  ${rest}`.trimEnd());
const verdict = (wanted, isMet) =>
  `target ${wanted}: ${options.smoke ? 'not judged in a smoke run' : isMet ? 'met' : 'MISSED'}`;

function report(rounds, { times, readSeconds }) {
  const of = (name, figure) => median(rounds.map((round) => round[name][figure]));
  say(`\nPings, each of another install, ${CONNECTIONS} connections; ${ROUNDS} rounds of ${SECONDS} s\n`);
  row('', ['pings/s', 'p50 ms', 'p99 ms']);
  const names = {
    single: 'one INSERT each, bare node:http',
    batches: 'micro-batches, bare node:http',
    service: 'service',
  };
  for (const [key, name] of Object.entries(names))
    row(name, [of(key, 'perSecond').toFixed(0), of(key, 'p50').toFixed(1), of(key, 'p99').toFixed(1)]);
  const ratio = (name) => median(rounds.map((round) => round.service.perSecond / round[name].perSecond));
  row(
    'service / one INSERT each',
    [ratio('single').toFixed(2)],
    verdict(`at least ${MIN_RATIO}`, ratio('single') >= MIN_RATIO),
  );
  row('service / micro-batches', [ratio('batches').toFixed(2)]);
  const p99 = times[Math.ceil(times.length * 0.99) - 1];
  say(
    `\nReport over ${DAYS + 1} days, ${VERSIONS} versions, ${COUNTRIES} countries, ${PINGS} pings of today; ${REPORTS} times\n`,
  );
  row('', ['p50 ms', 'p99 ms', 'max ms']);
  row(
    'report',
    [median(times), p99, times.at(-1)].map((ms) => ms.toFixed(1)),
    verdict(`p99 under ${MAX_REPORT_MS} ms`, p99 < MAX_REPORT_MS),
  );
  row('reading the pings into the figures', [`${readSeconds.toFixed(0)} s`]);
  say(`\n  ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`);
}

await onStage(run);

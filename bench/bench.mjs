// npm run bench: the hot routes beside the reference programs, in one run; writes bench/results.md. On the server at DATABASE_URL or the
// local one, in databases of its own that are dropped again; on the embedded database alone when no server answers.
// `-- --smoke` only shows that it works; `-- --rounds 3 --seconds 5 --seats 1000000 --most 5000000` measures otherwise, and `--most 0` leaves
// the largest set out.
import { execFileSync, fork } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import pg from 'pg';
import { ensureBuilt, ROOT } from '../scripts/built.mjs';
import { bodyOf, makeSeats } from './seats.mjs';
import {
  endLater,
  median,
  note,
  onStage,
  say,
  scratchFolder,
  serverKeys,
  signUp,
  startService,
  undoLater,
} from './stage.mjs';

/** @typedef {{ origin: string, shop: { tenantId: string, extensionId: string, planId: string } }} Service */
/** @typedef {{ url: string, method?: string, body?: () => string, connections?: number }} Load */
/** @typedef {{ perSecond: number, p50: number, p99: number }} Figures */

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    seats: { type: 'string', default: '1000000' },
    most: { type: 'string', default: '5000000' },
  },
});
const ROUNDS = options.smoke ? 1 : Number(options.rounds);
const SECONDS = options.smoke ? 1 : Number(options.seconds);
const SEATS = options.smoke ? 1000 : Number(options.seats);
const MOST = options.smoke ? 2000 : Number(options.most);
const FEW = options.smoke ? 500 : 10_000;
const SERVER = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const BODIES = 50_000;
const pepper = randomBytes(32);

// --- who is measured --------------------------------------------------------------------------------------------------

async function serverAnswers() {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 3000 });
  const answers = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  if (!answers && process.env.DATABASE_URL !== undefined) throw new Error('Nothing answers at DATABASE_URL');
  return answers;
}

async function newDatabase() {
  const name = `pierhead_bench_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(SERVER);
  await admin.connect();
  await admin.query(`create database ${name}`);
  undoLater(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
}

/** @param {string} program @param {string[]} args @returns {Promise<string>} its origin */
async function startReference(program, args = []) {
  // Without the caller's flags and settings, which must not decide the figures.
  const child = fork(join(ROOT, 'bench/reference', program), args, { env: {}, execArgv: [] });
  endLater(child);
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  return `http://127.0.0.1:${port}`;
}

/**
 * A service with one extension, its plan, and seats.
 * @param {string | null} databaseUrl null is the embedded database
 * @param {number} seats
 * @param {string} idle how long ago they were last seen
 * @returns {Promise<Service>}
 */
async function serve(databaseUrl, seats, idle) {
  const folder = await scratchFolder();
  const { origin } = await startService(folder, {
    ...serverKeys(),
    CODE_PEPPERS: `k1:${pepper.toString('base64')}`,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  const { api } = await signUp(origin);
  const { body: extension } = await api('POST', '/extensions', { name: 'Bench' });
  const { body: plan } = await api('POST', '/plans', { extensionId: extension.id, tier: 'pro', maxActivations: 5 });
  const socket = encodeURIComponent(join(folder, 'socket'));
  const client = new pg.Client(databaseUrl ?? `postgres://postgres@${socket}:5432/postgres`);
  await client.connect();
  const { rows } = await client.query('select tenant_id from extension where id = $1', [extension.id]);
  const shop = { tenantId: rows[0].tenant_id, extensionId: extension.id, planId: plan.id };
  note(`Making ${seats} seats by SQL…`);
  await makeSeats(client, shop, pepper, seats, idle);
  await client.end();
  return { origin, shop };
}

// --- loads ------------------------------------------------------------------------------------------------------------

/** @param {Load} load @param {number} seconds @returns {Promise<Figures>} */
async function measure({ url, method = 'POST', body, connections = 32 }, seconds) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const setupRequest = (request) => (body === undefined ? request : { ...request, body: body() });
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method, headers, setupRequest }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} failed ${result.non2xx + result.errors} of ${result.requests.total} requests`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Checks of random seats, made ahead so that making them costs no time. @param {string} extensionId @param {number} seats */
function checks(extensionId, seats) {
  const bodies = Array.from({ length: Math.min(BODIES, seats) }, () => bodyOf(extensionId, randomInt(seats)));
  let at = 0;
  return () => bodies[(at += 1) % bodies.length];
}

const checkOf = ({ origin, shop }, seats, connections) => ({
  url: `${origin}/api/v1/licensing/check`,
  body: checks(shop.extensionId, seats),
  connections,
});

/** Every seat must be found active, or what is measured is no check. @param {Load} load */
async function mustBeActive({ url, body }) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: body() });
  const text = await answer.text();
  if (JSON.parse(text).isActive !== true) throw new Error(`${url} answered ${text}`);
}

/** @returns {Promise<Record<string, Load>>} */
async function onServer() {
  const url = await newDatabase();
  const main = await serve(url, SEATS, '2 days');
  const few = await serve(await newDatabase(), FEW, '0 hours');
  const many = MOST === 0 ? null : await serve(await newDatabase(), MOST, '0 hours');
  const single = await startReference('check-server.mjs', [url, pepper.toString('base64')]);
  const reference = (connections) => ({ url: single, body: checks(main.shop.extensionId, SEATS), connections });
  const ping = (origin) => ({
    url: origin,
    body: () => JSON.stringify({ installId: randomUUID(), extensionId: main.shop.extensionId, version: '1.2.3' }),
  });
  const cold = checkOf(main, SEATS);
  return {
    d: reference(32),
    check: cold,
    // The same seats as in the row above, whose signs of life have been written by then.
    'check, hot seats': { ...cold, body: checks(main.shop.extensionId, Math.min(2000, SEATS)) },
    'd at 128': reference(128),
    'check at 128': { ...checkOf(main, SEATS), connections: 128 },
    'check of few': checkOf(few, FEW),
    ...(many === null ? {} : { 'check of many': checkOf(many, MOST) }),
    g: ping(await startReference('ping-server.mjs', ['single', url])),
    ping: ping(`${main.origin}/api/v1/analytics/ping`),
    b: { url: await startReference('express-server.mjs'), method: 'GET' },
    'trivial route': { url: `${main.origin}/health/live`, method: 'GET' },
  };
}

/** @type {readonly (readonly [what: string, measured: string, beside: string, figure: 'perSecond' | 'p99', target: number, isMost?: boolean])[]} */
const TARGETS = [
  ['check / one statement each (d)', 'check', 'd', 'perSecond', 1.5],
  ["check, p99 / d's", 'check', 'd', 'p99', 0.8, true],
  ['check at 128 connections / d at 128', 'check at 128', 'd at 128', 'perSecond', 2],
  ['check, hot seats / check', 'check, hot seats', 'check', 'perSecond', 1.3],
  ['check, most seats / 10 thousand', 'check of many', 'check of few', 'perSecond', 0.85],
  ['check, embedded database / PostgreSQL', 'check, embedded', 'check of few', 'perSecond', 0.3],
  ['ping / one INSERT each (g)', 'ping', 'g', 'perSecond', 1.5],
  ['trivial route / stock Express (b)', 'trivial route', 'b', 'perSecond', 1.3],
];

// --- the run ----------------------------------------------------------------------------------------------------------

async function run() {
  ensureBuilt();
  const loads = (await serverAnswers()) ? await onServer() : {};
  loads['check, embedded'] = checkOf(await serve(null, FEW, '0 hours'), FEW);
  for (const load of Object.values(loads)) if (load.url.endsWith('check')) await mustBeActive(load);
  note('Warming up…');
  for (const load of Object.values(loads)) await measure(load, Math.min(2, SECONDS));
  const rounds = [];
  const busy = [];
  for (let at = 1; at <= ROUNDS; at += 1) {
    const round = {};
    busy.push(loadavg()[0]);
    for (const [name, load] of Object.entries(loads)) round[name] = await measure(load, SECONDS);
    note(
      `Round ${at} of ${ROUNDS}: ${Object.entries(round)
        .map(([name, { perSecond }]) => `${name} ${perSecond.toFixed(0)}/s`)
        .join(', ')}`,
    );
    rounds.push(round);
  }
  const text = table(rounds, busy[0]);
  say(text);
  if (!options.smoke) await writeFile(join(ROOT, 'bench/results.md'), `${text}\n`);
}

/** @param {Record<string, Figures>[]} rounds @param {number} busy the load of the machine before the first round */
function table(rounds, busy) {
  const of = (name, figure) => median(rounds.map((round) => round[name][figure]));
  const absolute = Object.keys(rounds[0]).map(
    (name) =>
      `| ${name} | ${of(name, 'perSecond').toFixed(0)} | ${of(name, 'p50').toFixed(1)} | ${of(name, 'p99').toFixed(1)} |`,
  );
  const ratios = TARGETS.filter(([, measured, beside]) => rounds[0][measured] && rounds[0][beside]).map(
    ([what, measured, beside, figure, target, isMost = false]) => {
      const ratio = median(rounds.map((round) => round[measured][figure] / round[beside][figure]));
      const isMet = isMost ? ratio <= target : ratio >= target;
      const verdict = options.smoke ? 'not judged' : isMet ? 'met' : 'missed';
      return `| ${what} | ${ratio.toFixed(2)} | ${isMost ? 'at most' : 'at least'} ${target} | ${verdict} |`;
    },
  );
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  return [
    '# Results of `npm run bench`',
    '',
    `Commit ${commit}; ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}; ${ROUNDS} rounds of ${SECONDS} s,`,
    `${SEATS} seats, 10 thousand seats being ${FEW} and the most ${MOST}. Load of the machine at the start: ${busy.toFixed(1)}.`,
    '',
    '| ratio, median of the rounds | measured | target |  |',
    '| --- | ---: | --- | --- |',
    ...ratios,
    '',
    '| what | per second | p50 ms | p99 ms |',
    '| --- | ---: | ---: | ---: |',
    ...absolute,
  ].join('\n');
}

await onStage(run);

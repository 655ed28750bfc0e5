// Who is measured by npm run bench: services and reference programs, each started when the first row needs it, and what is sent to them.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { connection, newDatabase } from './databases.mjs';
import { newSecret, paidOrder } from './orders.mjs';
import { DUE, FRESH, licensesOf, makeDue, makeSeats, newBody, seatedBody, flush } from './seats.mjs';
import { note, scratchFolder, serverKeys, signUp, startReference, startService } from './stage.mjs';

/** @typedef {import('./seats.mjs').Shop} Shop */
/** @typedef {{ origin: string, token: string, tenant: Awaited<ReturnType<typeof signUp>>, shop: Shop, client: import('pg').Client, env: Record<string, string> }} Service */
/**
 * @typedef {object} Load
 * @property {string} url
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string} [expected] what every answer contains, or what is measured is not what it is called
 * @property {() => Parameters<typeof import('./load/loader.mjs').prepare>[2]} [bodies] made ahead, so that making them costs no time
 * @property {boolean} [isOnce] whether a body that is sent again is no longer the same work, so that a run ends when all are sent
 * @property {() => Promise<unknown>} [before] gets ready for a run
 */
/** @typedef {{ seats: number, few: number, most: number, same: number, seconds: number }} Sizes numbers of seats */

/** More than any program here can do in a second. */
const MAX_CHECKS = 40_000;
const MAX_PINGS = 50_000;
const MAX_ACTIVATIONS = 16_000;
const MAX_ORDERS = 8000;
/** Of the plan; a license has two seats to begin with. */
const ACTIVATIONS = 100;
const CHECK_PATH = '/api/v1/licensing/check';
const ACTIVATE_PATH = '/api/v1/licensing/activate';
/** Without a browser's User-Agent, the service answers a ping but does not count it. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
/** The key of all codes, which references must know. */
const pepper = randomBytes(32);
export const EXTENSIONS = 100;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** @template Result @param {() => Result} make @returns {() => Result} that makes it once */
function once(make) {
  let made;
  return () => (made ??= make());
}

const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));

/** Numbers below a limit, each once before any comes again, and far from the one before. @param {number} limit */
function* scattered(limit) {
  let stride = Math.max(1, Math.round(limit * GOLDEN));
  while (gcd(stride, limit) !== 1) stride += 1;
  for (let at = 0; ; at = (at + stride) % limit) yield at;
}

/** @param {Iterator<number>} numbers @param {number} count @param {(number: number) => string} write */
const take = (numbers, count, write) => Array.from({ length: count }, () => write(numbers.next().value));

// --- services ---------------------------------------------------------------------------------------------------------

/**
 * A service with one extension, its plan, and seats.
 * @param {{ url: string, client: import('pg').Client } | null} database null is the embedded one
 * @param {number} seats
 * @param {string} lastSeenAt
 * @param {Record<string, string>} more settings
 * @returns {Promise<Service>}
 */
export async function serve(database, seats, lastSeenAt, more = {}) {
  const folder = await scratchFolder();
  const env = {
    ...more,
    ...serverKeys(),
    TENANT_QUOTAS: 'unlimited:0',
    DEFAULT_TENANT_QUOTA: 'unlimited',
    CODE_PEPPERS: `k1:${pepper.toString('base64')}`,
    ...(database === null ? {} : { DATABASE_URL: database.url }),
  };
  const { origin } = await startService(folder, env);
  const tenant = await signUp(origin);
  const { api, token } = tenant;
  const { body: extension } = await api('POST', '/extensions', { name: 'Bench' });
  const { body: plan } = await api('POST', '/plans', {
    extensionId: extension.id,
    tier: 'pro',
    maxActivations: ACTIVATIONS,
  });
  const socket = encodeURIComponent(join(folder, 'socket'));
  const client = database?.client ?? (await connection(`postgres://postgres@${socket}:5432/postgres`));
  const { rows } = await client.query('select tenant_id from extension where id = $1', [extension.id]);
  const shop = { tenantId: rows[0].tenant_id, extensionId: extension.id, planId: plan.id };
  const started = performance.now();
  await makeSeats(client, shop, pepper, seats, lastSeenAt);
  const took = (performance.now() - started) / 1000;
  note(`Made ${seats} seats by SQL in ${took.toFixed(0)} s, ${(seats / took).toFixed(0)} a second`);
  return { origin, token, tenant, shop, client, env };
}

/**
 * Another process on the database of a service, with the logging that comes by default, and limits that count but never refuse.
 * @param {Service} service
 * @returns {Promise<Service>}
 */
async function serveAsItComes(service) {
  const limits = { RATE_LIMITS: 'on', RATE_LIMIT_CHECK_PER_ADDRESS: '1000000' };
  const { origin } = await startService(await scratchFolder(), { ...service.env, ...limits, LOG_LEVEL: 'info' });
  return { ...service, origin };
}

// --- loads ------------------------------------------------------------------------------------------------------------

/** Checks of seats all over the table. @param {Shop} shop @param {number} seats @param {number} seconds */
const checksOf = ({ extensionId }, seats, seconds) =>
  once(() =>
    take(scattered(seats), Math.min(seats, Math.ceil(seconds * MAX_CHECKS)), (at) => seatedBody(extensionId, at)),
  );

/** @param {string} url @param {() => readonly string[]} bodies @param {Partial<Load>} rest @returns {Load} */
const checkAt = (url, bodies, rest = {}) => ({ url, bodies, expected: '"isActive":true', ...rest });

/** Checks of a service whose seats are all due for a heartbeat. @param {Service} service @param {number} seats @param {number} seconds */
const dueAt = ({ origin, shop, client }, seats, seconds) =>
  checkAt(`${origin}${CHECK_PATH}`, checksOf(shop, seats, seconds), { before: () => makeDue(client), isOnce: true });

/** @param {string} url @param {Service} service @param {number} seconds @returns {Load} */
const pingAt = (url, { shop: { extensionId }, client }, seconds) => ({
  url,
  headers: { 'user-agent': BROWSER },
  before: () => flush(client),
  isOnce: true,
  bodies: () =>
    Array.from({ length: Math.ceil(seconds * MAX_PINGS) }, () =>
      JSON.stringify({ installId: randomUUID(), extensionId, version: '1.2.3' }),
    ),
});

/**
 * Paid orders, each of a buyer of its own.
 * @param {string} url
 * @param {Service} service
 * @param {string} secret
 * @param {number} seconds
 * @returns {Load}
 */
const ordersAt = (url, { shop: { planId }, client }, secret, seconds) => ({
  url,
  before: () => flush(client),
  isOnce: true,
  expected: '"outcome":"handled"',
  bodies: () => Array.from({ length: Math.ceil(seconds * MAX_ORDERS) }, () => paidOrder(planId, secret)),
});

/** Extensions that are live at each of their stores. @param {Service} service */
export async function makeExtensions({ tenant, shop, client }) {
  for (let at = 1; at <= EXTENSIONS; at += 1) await tenant.api('POST', '/extensions', { name: `Extension ${at}` });
  await client.query(
    `update target_status set phase = 'live', phase_since = now(), live_version = '1.0.0', desired_version = '1.0.0'
       from target where target.id = target_status.target_id and target.tenant_id = $1`,
    [shop.tenantId],
  );
  await client.query('vacuum analyze');
}

/**
 * What rows are made of, by name; nothing is started before it is asked for.
 * @param {Sizes} sizes
 * @param {boolean} hasServer whether there is a PostgreSQL server
 * @returns {Record<string, () => Promise<Load>>}
 */
export function programs(sizes, hasServer) {
  const embedded = once(() => serve(null, sizes.same, DUE));
  const served = new Map();
  /** One service for each number of seats; all on databases of their own. */
  const serving = (seats, lastSeenAt) => async () => {
    const known = `${seats} ${lastSeenAt}`;
    if (!served.has(known)) served.set(known, serve(await newDatabase(), seats, lastSeenAt));
    return served.get(known);
  };
  const little = hasServer ? serving(sizes.few, FRESH) : embedded;
  return {
    ...anywhere(sizes, embedded, little),
    ...(hasServer ? onServer(sizes, little, serving) : {}),
  };
}

/**
 * What can be measured without a server.
 * @param {Sizes} sizes
 * @param {() => Promise<Service>} embedded
 * @param {() => Promise<Service>} little
 */
function anywhere({ few, same, seconds }, embedded, little) {
  const constant = (program, path) => async () => {
    const { shop } = await little();
    const { origin } = await startReference(program);
    return checkAt(`${origin}${path}`, checksOf(shop, few, seconds));
  };
  return {
    'a: bare node:http': constant('node-server.mjs', '/'),
    'b: Express': async () => {
      const { origin } = await startReference('express-server.mjs');
      return { url: origin, method: 'GET' };
    },
    'c: Nest': constant('nest-server.mjs', '/check'),
    'trivial route': async () => ({ url: `${(await little()).origin}/health/live`, method: 'GET' }),
    'tenant route': async () => {
      const { origin, token, shop } = await little();
      const url = `${origin}/api/v1/extensions/${shop.extensionId}`;
      return { url, method: 'GET', headers: { authorization: `Bearer ${token}` }, expected: shop.extensionId };
    },
    'check, embedded': async () => dueAt(await embedded(), same, seconds),
  };
}

/**
 * What takes a server.
 * @param {Sizes} sizes
 * @param {() => Promise<Service>} little
 * @param {(seats: number, lastSeenAt: string) => () => Promise<Service>} serving
 */
function onServer({ seats, few, most, same, seconds }, little, serving) {
  const main = serving(seats, DUE);
  const asItComes = once(async () => serveAsItComes(await main()));
  const bodies = once(async () => checksOf((await main()).shop, seats, seconds));
  const reference = async (program, mode = []) => {
    const { env } = await main();
    return (await startReference(program, [...mode, env.DATABASE_URL, pepper.toString('base64')])).origin;
  };
  const single = once(() => reference('check-server.mjs'));

  /** Checks at a URL, with a heartbeat due at every seat. */
  const due = async (url, rest = {}) => {
    const { client } = await main();
    return checkAt(url, await bodies(), { before: () => makeDue(client), isOnce: true, ...rest });
  };
  const fresh = async ({ origin, shop }, size, path = CHECK_PATH) =>
    checkAt(`${origin}${path}`, checksOf(shop, size, seconds));

  const page = (which, service) => async () => {
    const { env, shop } = await service();
    return {
      url: (await startReference('page-server.mjs', [which, env.DATABASE_URL, shop.tenantId])).origin,
      method: 'GET',
    };
  };
  const read = (path, service, expected) => async () => {
    const { origin, token } = await service();
    return { url: `${origin}/api/v1${path}`, method: 'GET', headers: { authorization: `Bearer ${token}` }, expected };
  };
  const many = serving(most, FRESH);
  const author = once(async () => {
    const service = await little();
    await makeExtensions(service);
    return service;
  });
  const secret = newSecret();
  const seller = once(async () => {
    const service = await little();
    await service.tenant.session('POST', '/credentials', { store: 'stripe', credentials: { webhookSecret: secret } });
    return service;
  });

  const licenses = scattered(licensesOf(seats));
  let devices = 0;
  const activation = async (url) => {
    const { shop, client } = await main();
    const write = (license) => newBody(shop.extensionId, license, `new device ${(devices += 1)}`);
    const count = Math.min(Math.ceil(seconds * MAX_ACTIVATIONS), licensesOf(seats) * (ACTIVATIONS - 10));
    const bodiesOfNew = () => take(licenses, count, write);
    return { url, bodies: bodiesOfNew, before: () => flush(client), isOnce: true, expected: '"success":true' };
  };

  return {
    'd: one statement each': async () => due(await single()),
    'n1: TypeORM': async () => due(`${await reference('typeorm-server.mjs')}/check`),
    check: async () => due(`${(await main()).origin}${CHECK_PATH}`),
    'check, logs and limits as they come': async () => due(`${(await asItComes()).origin}${CHECK_PATH}`),
    'check, few seats': async () => fresh(await little(), few),
    'activate again': async () => fresh(await little(), few, ACTIVATE_PATH),
    ...(most === 0
      ? {}
      : {
          'check, most seats': async () => fresh(await many(), most),
          licenses: read('/licenses?limit=50', many, '"codeHint"'),
          'one query of licenses': page('licenses', many),
        }),
    overview: read(`/overview?limit=${EXTENSIONS}`, author, '"liveVersion":"1.0.0"'),
    'one query of targets': page('overview', author),
    'paid order': async () => {
      const { origin, shop } = await seller();
      return ordersAt(`${origin}/api/v1/licensing/webhooks/payment/${shop.tenantId}`, await seller(), secret, seconds);
    },
    'order of two rows': async () => {
      const service = await seller();
      const { origin } = await startReference('order-server.mjs', [service.env.DATABASE_URL, secret]);
      return ordersAt(origin, service, secret, seconds);
    },
    'check, as many as embedded': async () => dueAt(await serving(same, DUE)(), same, seconds),
    'transaction of six': async () => activation(await reference('activate-server.mjs')),
    activate: async () => activation(`${(await main()).origin}${ACTIVATE_PATH}`),
    'g: one INSERT each': async () => pingAt(await reference('ping-server.mjs'), await main(), seconds),
    ping: async () => pingAt(`${(await main()).origin}/api/v1/analytics/ping`, await main(), seconds),
  };
}

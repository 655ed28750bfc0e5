// npm run demo: the main job in one command, on the embedded database and the sandbox. `-- --exit` ends when it is done.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import yazl from 'yazl';
import { ensureBuilt, ROOT } from './built.mjs';
import { controlOf, STAND_INS, STORES } from './stand-ins.mjs';

const EXAMPLE = join(ROOT, 'examples/tab-counter');
const REVIEW_SECONDS = 6;
/** A review of seconds is looked at every second, and not every ten minutes. */
const HURRY = { RECONCILE_EVERY_SECONDS: '1', REVIEW_CHECK_SECONDS: '1' };
const GIVE_UP_MS = 120_000;
const VERSION = '1.0.0';
const EXITS = process.argv.includes('--exit');
const children = [];

const say = (text = '') => process.stdout.write(`${text}\n`);
const step = (text) => say(`\n\u2022 ${text}`);
const answer = (value) => say(JSON.stringify(value, null, 2).replaceAll(/^/gm, '    '));

function run(script, env, log) {
  const child = spawn(process.execPath, [join(ROOT, script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(log, { end: false });
  children.push(child);
  return child;
}

/** Ends what this process started: the service first, so that it can still reach the sandbox. */
async function stopAll() {
  for (const child of children.toReversed()) {
    if (child.exitCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

function freePort(wanted) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(freePort(0)));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function startSandbox(log) {
  const child = run('dist/sandbox/main.js', {}, log);
  const env = {};
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return { env, url: new URL(env.CHROME_API_URL).origin };
    const [name, ...value] = line.split('=');
    env[name] = value.join('=');
  }
  throw new Error('The sandbox did not start');
}

async function startService(env, log) {
  const child = run('dist/main.js', env, log);
  child.stdout.pipe(log, { end: false });
  const started = Date.now();
  while (Date.now() - started < GIVE_UP_MS) {
    if (child.exitCode !== null)
      throw new Error(`The service ended with ${child.exitCode}; its log says why: ${log.path}`);
    const ready = await fetch(`http://127.0.0.1:${env.PORT}/health/ready`).catch(() => null);
    if (ready?.ok) return;
    await pause(150);
  }
  throw new Error('The service did not become ready');
}

/** Zips the example extension in memory, under the version given. */
async function zipExample(version) {
  const zip = new yazl.ZipFile();
  for (const name of await readdir(EXAMPLE)) {
    const bytes = await readFile(join(EXAMPLE, name));
    const isManifest = name === 'manifest.json';
    zip.addBuffer(isManifest ? Buffer.from(JSON.stringify({ ...JSON.parse(bytes), version }, null, 2)) : bytes, name);
  }
  zip.end();
  const chunks = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The id that the example names itself by at Firefox. */
async function geckoIdOfExample() {
  const manifest = JSON.parse(await readFile(join(EXAMPLE, 'manifest.json'), 'utf8'));
  return manifest.browser_specific_settings.gecko.id;
}

function client(base) {
  let cookie = '';
  let token = '';
  const call = async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      body: body === undefined || type !== 'application/json' ? body : JSON.stringify(body),
    });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return { call, useToken: (value) => (token = value) };
}

const WEBHOOK_SECRET = `whsec_${randomBytes(16).toString('hex')}`;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Posts as the outside does: without any credential of the tenant. */
async function postFromOutside(base, path, body, headers = {}) {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Sells: a plan, a code by hand with a device on it, and a paid order that Stripe tells of. */
async function sell(call, base, tenantId, extensionId) {
  step('Sell: a plan, and a code issued by hand');
  const plan = await call('POST', '/plans', { extensionId, tier: 'pro', maxActivations: 2 });
  const license = await call('POST', '/licenses', { planId: plan.id, buyerEmail: 'buyer@example.com' });
  answer({ ...license, code: `…${license.codeHint}` });

  step('A device activates with the code, and checks in later');
  const device = JSON.stringify({ code: license.code, extensionId, fingerprint: 'a browser', deviceInfo: 'Demo' });
  const { lease: _, ...activated } = await postFromOutside(base, '/licensing/activate', device);
  answer(activated);
  const { isActive, seats } = await postFromOutside(base, '/licensing/check', device);
  say(`    checked: isActive ${isActive}, seats ${seats.used} of ${seats.max}`);

  step('Stripe tells of a paid order: a license by itself, once, however often it is told');
  await call('POST', '/credentials', { store: 'stripe', credentials: { webhookSecret: WEBHOOK_SECRET } });
  const seconds = Math.floor(Date.now() / 1000);
  const session = {
    id: 'cs_demo',
    payment_status: 'paid',
    mode: 'payment',
    customer: 'cus_demo',
    customer_details: { email: 'paid@example.com' },
    metadata: { planId: plan.id },
    payment_intent: 'pi_demo',
  };
  const event = {
    id: 'evt_demo',
    object: 'event',
    type: 'checkout.session.completed',
    created: seconds,
    livemode: true,
  };
  const body = JSON.stringify({ ...event, data: { object: session } });
  const mac = createHmac('sha256', WEBHOOK_SECRET).update(`${seconds}.${body}`).digest('hex');
  for (const time of ['first', 'second']) {
    const headers = { 'stripe-signature': `t=${seconds},v1=${mac}` };
    const { outcome } = await postFromOutside(base, `/licensing/webhooks/payment/${tenantId}`, body, headers);
    say(`    told a ${time} time: ${outcome}`);
  }
  const { items } = await call('GET', `/licenses?extension=${extensionId}`);
  for (const { buyerEmail, tier, status, source } of items) say(`    ${buyerEmail}  ${tier}  ${status}  ${source}`);
  if (items.length !== 2) throw new Error(`There are ${items.length} licenses, and two were sold`);
}

/** One anonymous ping of an installed extension, and the report of today. */
async function countInstalls(call, base, extensionId) {
  step('An installed extension says once a day that it is there; nothing personal is kept');
  const ping = JSON.stringify({ installId: 'demo', extensionId, version: VERSION, language: 'en' });
  for (const _ of ['counted', 'the same day again'])
    await postFromOutside(base, '/analytics/ping', ping, { 'user-agent': BROWSER });
  const { days } = await call('GET', `/extensions/${extensionId}/analytics`);
  answer(days.at(-1));
}

const TABLE = ['store', 'phase', 'live', 'submitted', 'message'];

/** The targets' states, one line each. */
function table(targets) {
  const rows = targets.map(({ store, status }) => [
    store,
    status.phase,
    status.liveVersion ?? '-',
    status.submittedVersion ?? '-',
    status.message,
  ]);
  const widths = TABLE.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at].length)));
  for (const row of [TABLE, ...rows])
    say(`    ${row.map((cell, at) => cell.padEnd(at === TABLE.length - 1 ? 0 : widths[at])).join('  ')}`);
}

/** Watches until every target is live, showing each change that the service's own schedule brings about. */
async function watchToLive(call, extensionId) {
  const shown = new Map();
  const started = Date.now();
  while (Date.now() - started < GIVE_UP_MS) {
    const { targets } = await call('GET', `/extensions/${extensionId}/targets`);
    for (const { id, store, status } of targets) {
      if (shown.get(id) === status.message) continue;
      shown.set(id, status.message);
      say(`    ${store.padEnd(8)} ${status.phase.padEnd(10)} ${status.message}`);
      if (['rejected', 'action_required', 'taken_down'].includes(status.phase)) throw new Error(status.message);
    }
    if (targets.every(({ status }) => status.phase === 'live')) return table(targets);
    await pause(250);
  }
  throw new Error('The version did not become live everywhere');
}

async function demo() {
  ensureBuilt();
  const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));
  const log = createWriteStream(join(dataDir, 'log'));
  const port = await freePort(Number(process.env.PORT ?? 3000));
  const base = `http://127.0.0.1:${port}/api/v1`;

  step('Start the sandbox: the four stores, on this machine');
  const sandbox = await startSandbox(log);
  say(`    ${sandbox.url}`);
  step('Start Pierhead on its embedded database');
  await startService({ ...sandbox.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', ...HURRY }, log);
  say(`    http://127.0.0.1:${port}, data and log in ${dataDir}`);

  const { call, useToken } = client(base);
  step('Sign up, and make an access token');
  const email = 'author@example.com';
  const password = 'correct horse battery staple';
  const account = await call('POST', '/auth/signup', { email, password, tenantName: 'Demo' });
  answer(account);
  const { token, ...shownToken } = await call('POST', '/access-tokens', { name: 'demo', scopes: ['*'] });
  useToken(token);
  answer({ ...shownToken, token: `…${shownToken.lastFour}` });

  step('Register an extension: it gets one target per store');
  const extension = await call('POST', '/extensions', { name: 'Tab Counter' });
  answer(extension);

  step('At each store: give credentials (verified live, sealed, never shown again), and point the target at the item');
  const sim = controlOf(sandbox.url);
  const { targets } = await call('GET', `/extensions/${extension.id}/targets`);
  for (const store of STORES) {
    const { account: credentialsAt, item, review, deliver } = STAND_INS[store];
    const credentials = await credentialsAt(sim);
    const { name, settings } = await item(sim, credentials, { geckoId: await geckoIdOfExample() });
    await review(sim, name, REVIEW_SECONDS);
    await deliver?.(sim, name, VERSION);
    const { id: credentialId, identity } = await call('POST', '/credentials', {
      store,
      label: 'demo account',
      credentials,
    });
    const { id } = targets.find((target) => target.store === store);
    await call('PATCH', `/extensions/${extension.id}/targets/${id}`, { ...settings, credentialId, enabled: true });
    say(`    ${store.padEnd(8)} ${identity}  ->  ${settings.storeItemId}`);
  }

  step(`Push version ${VERSION}: zipped just now from examples/tab-counter`);
  const query = new URLSearchParams({ extension: extension.id, version: VERSION });
  answer(await call('POST', `/artifacts?${query}`, await zipExample(VERSION), 'application/zip'));

  step('Ask what Pierhead would do');
  const { targets: planned } = await call('GET', `/extensions/${extension.id}/plan`);
  for (const { store, step: next, because } of planned) say(`    ${store.padEnd(8)} ${next.padEnd(10)} ${because}`);

  step(`And only watch: its own schedule uploads, submits, waits for the reviews (${REVIEW_SECONDS} s here), releases`);
  await watchToLive(call, extension.id);

  step('The releases, and the timeline');
  answer(await call('GET', `/extensions/${extension.id}/releases`));
  const { items } = await call('GET', `/extensions/${extension.id}/events?limit=100`);
  for (const { at, message } of items.toReversed()) say(`    ${at} ${message}`);

  await sell(call, base, account.tenant.id, extension.id);
  await countInstalls(call, base, extension.id);

  step(`Done: version ${VERSION} is live on ${STORES.length} stores`);
  if (EXITS) return stopAll();
  say(`\n    The service stays up: http://127.0.0.1:${port}/api/docs`);
  say(`    Log in there as ${email} with the password "${password}". Ctrl-C ends it.`);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stopAll().then(() => process.exit(0)));
try {
  await demo();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  await stopAll();
  process.exit(1);
}

// npm run demo: the main job in one command, on the embedded database and the sandbox. `-- --exit` ends when it is done.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import yazl from 'yazl';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ROOT } from './built.mjs';
import { controlOf, STAND_INS, STORES } from './stand-ins.mjs';

const EXAMPLE = join(ROOT, 'examples/tab-counter');
const REVIEW_SECONDS = 6;
/** Reviews take seconds here, so the service checks on them every second instead of every ten minutes. */
const HURRY = { RECONCILE_EVERY_SECONDS: '1', REVIEW_CHECK_SECONDS: '1' };
const GIVE_UP_MS = 300_000;
const VERSION = '1.0.0';
const { exit: EXITS } = flagsOf(
  'npm run demo',
  'Publishes an extension to four stand-in stores, sells it and counts its users. Nothing leaves this machine.',
  {
    exit: 'Exits when the demo is done.',
  },
);
const children = [];

const say = (text = '') => process.stdout.write(`${text}\n`);
let chapters = 0;

/** Begins a chapter, so that a reader who waits knows for what. */
const chapter = (title) => say(`\n${(chapters += 1)}. ${title}`);
const line = (text) => say(`   ${text}`);
const why = (text) => line(`Why it matters: ${text}`);
const next = (text) => line(`Look next: ${text}`);

function run(script, env, log) {
  const child = spawn(process.execPath, [join(ROOT, script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(log, { end: false });
  children.push(child);
  return child;
}

/** Stops the child processes: the service first, so that it can still reach the sandbox. */
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

async function startSandbox(dataDir, log) {
  // SWC caches what it has loaded in the folder for temporary files.
  const child = run('scripts/sandbox.mjs', { TMPDIR: dataDir }, log);
  const env = {};
  for await (const printed of createInterface({ input: child.stdout })) {
    if (printed.startsWith('{')) return { env, url: new URL(env.CHROME_API_URL).origin };
    const [name, ...value] = printed.split('=');
    env[name] = value.join('=');
  }
  throw new Error('The sandbox did not start');
}

async function startService(env, log) {
  const child = run('dist/main.js', env, log);
  child.stdout.pipe(log, { end: false });
  const started = Date.now();
  while (Date.now() - started < GIVE_UP_MS) {
    if (child.exitCode !== null) throw new Error(`The service exited with ${child.exitCode}. See its log: ${log.path}`);
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

/** The add-on ID in the example's manifest. */
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

/** Posts without the tenant's credentials, as browsers and payment processors do. */
async function postAnonymously(base, path, body, headers = {}) {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Creates a plan, issues one license by hand and activates it, then sells a second one through Stripe. */
async function sell(call, base, tenantId, extensionId) {
  chapter('Sell it');
  const plan = await call('POST', '/plans', { extensionId, tier: 'pro', maxActivations: 2 });
  const license = await call('POST', '/licenses', { planId: plan.id, buyerEmail: 'buyer@example.com' });
  const device = JSON.stringify({ code: license.code, extensionId, fingerprint: 'a browser', deviceInfo: 'Demo' });
  await postAnonymously(base, '/licensing/activate', device);
  const { isActive, seats } = await postAnonymously(base, '/licensing/check', device);
  if (!isActive) throw new Error('The activated device is not active');
  line(
    `You issue the code ${license.code} to buyer@example.com. A browser activates it: ${seats.used} of ${seats.max} devices.`,
  );

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
  const headers = { 'stripe-signature': `t=${seconds},v1=${mac}` };
  const outcomes = [];
  for (const _ of ['first', 'second'])
    outcomes.push((await postAnonymously(base, `/licensing/webhooks/payment/${tenantId}`, body, headers)).outcome);
  const { items } = await call('GET', `/licenses?extension=${extensionId}`);
  if (items.length !== 2) throw new Error(`Expected 2 licenses, found ${items.length}`);
  const { tier, status } = items.find(({ buyerEmail }) => buyerEmail === 'paid@example.com');
  line(
    `Stripe delivers one paid order twice (${outcomes.join(', ')}): paid@example.com has one license, ${tier}, ${status}.`,
  );
  why('renewals, refunds and disputes update licenses automatically, in any order and however often they arrive.');
  next(`GET /licenses?extension=${extensionId}, and docs/licensing.md.`);
}

/** Sends the same install's ping twice, then reads today's report. */
async function countInstalls(call, base, extensionId) {
  chapter('Count it');
  const ping = JSON.stringify({ installId: 'demo', extensionId, version: VERSION, language: 'en' });
  for (const _ of ['counted', 'repeated'])
    await postAnonymously(base, '/analytics/ping', ping, { 'user-agent': BROWSER });
  const { days } = await call('GET', `/extensions/${extensionId}/analytics`);
  line(`An installed extension pings twice today and counts once: active installs ${days.at(-1).active}.`);
  why('you see which versions, browsers and countries are in use. No personal data is stored.');
  next(`GET /extensions/${extensionId}/analytics`);
}

/** Polls until every target is live. @returns the phases that each store went through, with the seconds after which each began */
async function watchToLive(call, extensionId) {
  /** @type {Map<string, { phase: string, after: number }[]>} */
  const ways = new Map(STORES.map((store) => [store, []]));
  const started = Date.now();
  while (Date.now() - started < GIVE_UP_MS) {
    const { targets } = await call('GET', `/extensions/${extensionId}/targets`);
    for (const { store, status } of targets) {
      const way = ways.get(store);
      if (way.at(-1)?.phase !== status.phase) way.push({ phase: status.phase, after: (Date.now() - started) / 1000 });
      if (['rejected', 'action_required', 'taken_down'].includes(status.phase)) throw new Error(status.message);
    }
    if (targets.every(({ status }) => status.phase === 'live')) return { ways, targets };
    await pause(250);
  }
  throw new Error('The version did not go live at every store');
}

/** Logs in as the API page does, and checks that the session may list access tokens, which a token may not. */
async function logInAsThePage(origin, user) {
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const entered = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(user) });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const tokens = await fetch(`${origin}/api/v1/access-tokens`, { headers: { origin, cookie } });
  if (!tokens.ok) throw new Error(`The session of the log-in got ${tokens.status}`);
}

async function demo(dataDir) {
  say('Pierhead publishes an extension to four stores, sells it and counts its users. Nothing leaves this machine.');
  ensureBuilt();
  const log = createWriteStream(join(dataDir, 'log'));
  const port = await freePort(Number(process.env.PORT ?? 3000));
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/api/v1`;

  chapter('Start');
  const sandbox = await startSandbox(dataDir, log);
  await startService({ ...sandbox.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', ...HURRY }, log);
  line(`Pierhead runs at ${origin} on its embedded database; ${sandbox.url} stands in for the stores.`);
  why('you need no database server and no account. This is what runs on your own server.');
  if (!EXITS) next(`the log and the data in ${dataDir}.`);

  chapter('Sign up');
  const { call, useToken } = client(base);
  const user = { email: 'author@example.com', password: 'correct horse battery staple' };
  const account = await call('POST', '/auth/signup', { ...user, tenantName: 'Demo' });
  const { token } = await call('POST', '/access-tokens', { name: 'demo', scopes: ['*'] });
  useToken(token);
  line(`${user.email} has an account and this access token:`);
  say(token);
  why(
    'CI pushes with a token limited to the scopes it needs. Only a person who logs in manages credentials and tokens.',
  );

  chapter('Connect the stores');
  const extension = await call('POST', '/extensions', { name: 'Tab Counter' });
  const sim = controlOf(sandbox.url);
  const { targets } = await call('GET', `/extensions/${extension.id}/targets`);
  for (const store of STORES) {
    const { account: credentialsAt, item, review, deliver } = STAND_INS[store];
    const credentials = await credentialsAt(sim);
    const { name, settings } = await item(sim, credentials, { geckoId: await geckoIdOfExample() });
    await review(sim, name, REVIEW_SECONDS);
    await deliver?.(sim, name, VERSION);
    const { id: credentialId } = await call('POST', '/credentials', { store, label: 'demo account', credentials });
    const { id } = targets.find((target) => target.store === store);
    await call('PATCH', `/extensions/${extension.id}/targets/${id}`, { ...settings, credentialId, enabled: true });
    line(`${store.padEnd(8)} publishes to ${settings.storeItemId}`);
  }
  why('Pierhead verifies each credential with its store, encrypts it and never shows it again.');
  next('GET /stores lists the credentials each store takes and where to get them.');

  chapter(`Push version ${VERSION}, once`);
  const query = new URLSearchParams({ extension: extension.id, version: VERSION });
  const { artifact } = await call('POST', `/artifacts?${query}`, await zipExample(VERSION), 'application/zip');
  line(
    `You push ${artifact.size} bytes, zipped from examples/tab-counter. Each review takes ${REVIEW_SECONDS} s here:`,
  );
  const { ways, targets: live } = await watchToLive(call, extension.id);
  for (const { store, status } of live) {
    const way = ways.get(store).map(({ phase, after }) => `${after.toFixed(1)} s ${phase}`);
    line(`${store.padEnd(8)} ${way.join(' > ')}: ${status.message}`);
  }
  why('Pierhead uploads, submits, waits for reviews and releases on its own schedule, for days and after any crash.');
  next(`GET /extensions/${extension.id}/events for the timeline, …/releases for the state of each version.`);

  await sell(call, base, account.tenant.id, extension.id);
  await countInstalls(call, base, extension.id);
  await logInAsThePage(origin, user);

  say(`\nDone: version ${VERSION} is live on ${STORES.length} stores.`);
  if (EXITS) return say('Run it without --exit to look around, or continue with docs/getting-started.md.');
  say(`The service runs until you press Ctrl-C, which also deletes its data. Try every call at ${origin}/api/docs:`);
  say('  - click "Authorize" and paste the token above as "bearer";');
  say(`  - or run POST /auth/login with ${JSON.stringify(user)}`);
  say('    to log in with a session.');
  say('Continue with docs/getting-started.md.');
}

const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));

/** Stops everything and deletes the data. */
async function end() {
  await stopAll();
  await rm(dataDir, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().then(() => process.exit(0)));
try {
  await demo(dataDir);
  if (EXITS) await end();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  await stopAll();
  process.stderr.write(`The log is in ${dataDir}.\n`);
  process.exit(1);
}

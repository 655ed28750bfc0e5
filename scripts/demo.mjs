// npm run demo: the main job in one command, on the embedded database and the sandbox. `-- --exit` ends when it is done.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as read } from 'node:stream/consumers';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureClientsBuilt, ensureClusterBuilt, ensureConsoleBuilt, ROOT } from './built.mjs';
import { EXAMPLE, freePort, readExample, startSandbox, startService, stopService, untilReady } from './on-sandbox.mjs';
import { controlOf, STAND_INS, STORES } from './stand-ins.mjs';

const REVIEW_SECONDS = 6;
const { exit: EXITS } = flagsOf(
  'npm run demo',
  'Publishes an extension to four stand-in stores, sells it and counts its users. Nothing leaves this machine.',
  {
    exit: 'Exits when the demo is done.',
  },
);
/** Functions that stop what runs. The last one is called first, so that the service still reaches the sandbox while it stops. */
const running = [];
/** Aborted by Ctrl-C. */
const interruption = new AbortController();

/** Stops something with the rest, or at once after Ctrl-C. @param {() => unknown} stop */
function ending(stop) {
  if (!interruption.signal.aborted) return void running.push(stop);
  stop();
  interruption.signal.throwIfAborted();
}

const say = (text = '') => process.stdout.write(`${text}\n`);
let chapters = 0;

/** Prints the heading of a chapter, so that the reader knows what the demo is waiting for. */
const chapter = (title) => say(`\n${(chapters += 1)}. ${title}`);
const line = (text) => say(`   ${text}`);
const why = (text) => line(`Why it matters: ${text}`);
const next = (text) => line(`Look next: ${text}`);

/** A person at a shell, whose commands and their answers are shown. */
const shell =
  (dataDir, origin) =>
  async (args, { stdin = '', shows = true } = {}) => {
    const env = {
      ...process.env,
      CI: '1',
      NO_COLOR: '1',
      XDG_CONFIG_HOME: dataDir,
      PIERHEAD_URL: origin,
      PIERHEAD_TOKEN: '',
    };
    const { signal } = interruption;
    const program = join(ROOT, 'clients/cli/bin/pierhead.js');
    const child = spawn(process.execPath, [program, ...args], { cwd: dataDir, env, signal });
    child.stdin.end(stdin);
    if (shows)
      line(`$ pierhead ${args.map((each) => (/^[\w./:@-]+$/.test(each) ? each : JSON.stringify(each))).join(' ')}`);
    const [said, errors, code] = await Promise.all([
      read(child.stdout),
      read(child.stderr),
      new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject)),
    ]);
    if (code !== 0) throw new Error(`pierhead ${args.join(' ')} ended with ${code}: ${errors}`);
    if (shows) for (const each of said.trimEnd().split('\n')) line(each);
    return said;
  };

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
async function sell(pierhead, call, base, tenantId, extensionId) {
  chapter('Sell it');
  const plan = await call('POST', '/plans', { extensionId, tier: 'pro', maxActivations: 2 });
  const code = (await pierhead(['licenses', 'issue', 'buyer@example.com'])).trim();
  const device = JSON.stringify({ code, extensionId, fingerprint: 'a browser', deviceInfo: 'Demo' });
  await postAnonymously(base, '/licensing/activate', device);
  const { isActive, seats } = await postAnonymously(base, '/licensing/check', device);
  if (!isActive) throw new Error('The activated device is not active');
  line(
    `You issue the code ${code} to buyer@example.com. A browser activates it: ${seats.used} of ${seats.max} devices.`,
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
async function countInstalls(call, base, extensionId, version) {
  chapter('Count it');
  const ping = JSON.stringify({ installId: 'demo', extensionId, version, language: 'en' });
  for (const _ of ['counted', 'repeated'])
    await postAnonymously(base, '/analytics/ping', ping, { 'user-agent': BROWSER });
  const { days } = await call('GET', `/extensions/${extensionId}/analytics`);
  line(`An installed extension pings twice today and counts once: active installs ${days.at(-1).active}.`);
  why('you see which versions, browsers and countries are in use. No personal data is stored.');
  next(`GET /extensions/${extensionId}/analytics`);
}

/** Logs in as the console does, and checks that the session may list access tokens, which a token may not. */
async function logInAsInBrowser(origin, user) {
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const entered = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(user) });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const tokens = await fetch(`${origin}/api/v1/access-tokens`, { headers: { origin, cookie } });
  if (!tokens.ok) throw new Error(`The session of the log-in got ${tokens.status}`);
}

async function demo(dataDir) {
  say('Pierhead publishes an extension to four stores, sells it and counts its users. Nothing leaves this machine.');
  ensureBuilt();
  ensureClusterBuilt();
  ensureClientsBuilt();
  ensureConsoleBuilt();
  const log = createWriteStream(join(dataDir, 'log'));
  const port = await freePort(Number(process.env.PORT ?? 3000));
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/api/v1`;
  const pierhead = shell(dataDir, origin);
  const call = async (method, path, body) =>
    JSON.parse(
      await pierhead(['api', method, path, ...(body === undefined ? [] : ['-i', '-'])], {
        stdin: JSON.stringify(body),
        shows: false,
      }),
    );

  chapter('Start');
  const sandbox = await startSandbox({ tempDir: dataDir });
  ending(() => sandbox.close());
  const service = startService({ ...sandbox.env, PORT: String(port), DATA_DIR: dataDir }, log);
  ending(() => stopService(service));
  await untilReady(service, origin);
  line(`Pierhead runs at ${origin} on its embedded database; ${sandbox.url} stands in for the stores.`);
  why('you need no database server and no account. This is what runs on your own server.');
  if (!EXITS) next(`the log and the data in ${dataDir}.`);

  chapter('Sign up');
  const user = { email: 'author@example.com', password: 'correct horse battery staple' };
  await pierhead(['login', origin, '--sign-up', '--email', user.email, '--password-stdin'], { stdin: user.password });
  const { token } = await call('POST', '/access-tokens', { name: 'demo', scopes: ['*'] });
  line('CI would use an access token such as this one:');
  say(token);
  why(
    'CI pushes with a token limited to the scopes it needs. Only a person who logs in manages credentials and tokens.',
  );

  chapter('Connect the stores');
  const { version, browser_specific_settings: browsers } = await readExample();
  const extension = await call('POST', '/extensions', { name: 'Tab Counter' });
  const sim = controlOf(sandbox.url);
  for (const store of STORES) {
    const { account: credentialsAt, item, review, deliver } = STAND_INS[store];
    const credentials = await credentialsAt(sim);
    const { name, settings } = await item(sim, credentials, { geckoId: browsers.gecko.id });
    await review(sim, name, REVIEW_SECONDS);
    await deliver?.(sim, name, version);
    await writeFile(join(dataDir, `${store}.json`), JSON.stringify(credentials), { mode: 0o600 });
    const items = [settings.storeItemId, settings.crxId].filter((id) => id !== undefined);
    await pierhead(['connect', store, '--key-file', `${store}.json`, ...items.flatMap((id) => ['--item', id])]);
  }
  why('Pierhead verifies each credential with its store, encrypts it and never shows it again.');
  next('"pierhead init" asks for all of this, and shows where to get each key.');

  chapter(`Push version ${version}, once`);
  line(`Each review takes ${REVIEW_SECONDS} s here:`);
  await pierhead(['push', EXAMPLE, '--wait', 'live', '--no-lint']);
  await pierhead(['status']);
  why('Pierhead uploads, submits, waits for reviews and releases on its own schedule, for days and after any crash.');
  next(`GET /extensions/${extension.id}/events for the timeline, …/releases for the state of each version.`);

  const { tenant } = await call('GET', '/auth/me');
  await sell(pierhead, call, base, tenant.id, extension.id);
  await countInstalls(call, base, extension.id, version);
  await logInAsInBrowser(origin, user);

  say(`\nDone: version ${version} is live on ${STORES.length} stores.`);
  if (EXITS) return say('Run it without --exit to look around, or continue with docs/publish.md.');
  say(`Open ${origin} in a browser and log in as ${user.email} with the password "${user.password}".`);
  say(`${origin}/api/docs lists every call of the API: click "Authorize" and paste the token above as "bearer".`);
  say('The service runs until you press Ctrl-C, which also deletes its data.');
  say('Continue with docs/publish.md.');
}

const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));
// SWC caches what it has loaded in the folder for temporary files.
process.env.TMPDIR = dataDir;

async function stopAll() {
  for (const stop of running.splice(0).toReversed()) await stop();
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());
const interrupted = once(interruption.signal, 'abort');
const demonstrated = demo(dataDir);
try {
  await Promise.race([demonstrated, interrupted]);
  if (!EXITS) await interrupted;
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  await stopAll();
  process.stderr.write(`The log is in ${dataDir}.\n`);
  process.exit(1);
}
await stopAll();
// The demo may still be starting something, or writing.
await demonstrated.catch(() => undefined);
await rm(dataDir, { recursive: true, force: true });
process.exit(0);

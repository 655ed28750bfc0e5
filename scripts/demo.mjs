// npm run demo: the main job in one command, on the embedded database and the sandbox. `-- --exit` ends when it is done.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import yazl from 'yazl';
import { ensureBuilt, ROOT } from './built.mjs';

const EXAMPLE = join(ROOT, 'examples/tab-counter');
const REVIEW_SECONDS = 6;
const GIVE_UP_MS = 120_000;
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
    if (line.startsWith('{')) return { env, seeded: JSON.parse(line), url: new URL(env.CHROME_API_URL).origin };
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

/** Reconciles until the target is live, showing each change and a dot for each look that found none. */
async function driveToLive(call, extensionId, targetId) {
  let shown = '';
  const started = Date.now();
  while (Date.now() - started < GIVE_UP_MS) {
    const { targets } = await call('POST', `/extensions/${extensionId}/reconcile`);
    const target = targets.find((each) => each.targetId === targetId);
    for (const { step: name, because, outcome } of target.steps)
      if (outcome !== 'none') say(`    ${name}: ${because} [${outcome}]`);
    if (target.message === shown) process.stdout.write('.');
    else process.stdout.write(`${shown === '' ? '' : '\n'}    ${target.phase}: ${target.message}`);
    shown = target.message;
    if (target.phase === 'live') return say();
    if (['rejected', 'action_required', 'taken_down'].includes(target.phase)) throw new Error(target.message);
    await pause(1000);
  }
  throw new Error('The version did not become live');
}

async function demo() {
  ensureBuilt();
  const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));
  const log = createWriteStream(join(dataDir, 'log'));
  const port = await freePort(Number(process.env.PORT ?? 3000));
  const base = `http://127.0.0.1:${port}/api/v1`;

  step('Start the sandbox: a Chrome Web Store on this machine');
  const sandbox = await startSandbox(log);
  say(`    ${sandbox.url}`);
  step('Start Pierhead on its embedded database');
  await startService(
    { ...sandbox.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', RECONCILE_EVERY_SECONDS: '30' },
    log,
  );
  say(`    http://127.0.0.1:${port}, data and log in ${dataDir}`);

  const { call, useToken } = client(base);
  step('Sign up, and make an access token');
  const email = 'author@example.com';
  const password = 'correct horse battery staple';
  answer(await call('POST', '/auth/signup', { email, password, tenantName: 'Demo' }));
  const { token, ...shownToken } = await call('POST', '/access-tokens', { name: 'demo', scopes: ['*'] });
  useToken(token);
  answer({ ...shownToken, token: `…${shownToken.lastFour}` });

  step('Register an extension: it gets one target per store');
  const extension = await call('POST', '/extensions', { name: 'Tab Counter' });
  answer(extension);

  step('Give credentials for the Chrome Web Store: verified live, sealed, never shown again');
  const { credentials, itemId } = sandbox.seeded.chrome;
  const credential = await call('POST', '/credentials', { store: 'chrome', label: 'demo account', credentials });
  answer(credential);

  step('Point the Chrome target at the item, and enable it');
  const { targets } = await call('GET', `/extensions/${extension.id}/targets`);
  const chrome = targets.find(({ store }) => store === 'chrome');
  const settings = { storeItemId: itemId, credentialId: credential.id, enabled: true };
  answer(await call('PATCH', `/extensions/${extension.id}/targets/${chrome.id}`, settings));

  step('Push version 1.0.0: zipped just now from examples/tab-counter');
  const query = new URLSearchParams({ extension: extension.id, version: '1.0.0' });
  answer(await call('POST', `/artifacts?${query}`, await zipExample('1.0.0'), 'application/zip'));

  step('Ask what Pierhead would do');
  answer(await call('GET', `/extensions/${extension.id}/plan`));

  step(`Reconcile: upload, submit, wait for the review (${REVIEW_SECONDS} s in this sandbox), and see it live`);
  await fetch(`${sandbox.url}/__sim/chrome/items/${itemId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ approveAfterSeconds: REVIEW_SECONDS }),
  });
  await driveToLive(call, extension.id, chrome.id);

  step('The releases, and the timeline');
  answer(await call('GET', `/extensions/${extension.id}/releases`));
  for (const { at, message } of (await call('GET', `/extensions/${extension.id}/events`)).items.toReversed())
    say(`    ${at} ${message}`);

  step('Done: version 1.0.0 is live');
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

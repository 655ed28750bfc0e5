// npm run try: Pierhead on the sandbox, for a person at a second terminal. What it makes is kept in try/ for the next run.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureClientBuilt, ensureClusterBuilt, ensureConsoleBuilt } from './built.mjs';
import { freePort, readExample, startSandbox, startService, stopService, untilReady } from './on-sandbox.mjs';
import { remember, seedStores } from './sandbox-memory.mjs';

const { fresh } = flagsOf(
  'npm run try',
  'Runs Pierhead on the sandbox, which stands in for the stores, until Ctrl-C.',
  {
    fresh: 'Deletes what earlier runs have kept.',
  },
);
const FOLDER = join(process.cwd(), 'try');
const KEYS = join(FOLDER, 'keys');
const MEMORY = join(FOLDER, 'sandbox.json');

const say = (text = '') => process.stdout.write(`${text}\n`);

/** Writes a file that only its owner can read, in one step. */
async function keep(path, content) {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Makes the stores of the last run again, or new ones. */
async function openStores(origin) {
  const known = await readFile(MEMORY, 'utf8').then(JSON.parse, () => null);
  const { browser_specific_settings: browsers } = await readExample();
  const stores = await seedStores(origin, known, browsers.gecko.id);
  await mkdir(KEYS, { recursive: true, mode: 0o700 });
  for (const [store, { account }] of Object.entries(stores)) await keep(join(KEYS, `${store}.json`), json(account));
  return stores;
}

/** Runs until Ctrl-C. @throws Error when the service ends by itself */
async function run(interrupted) {
  const sandbox = await startSandbox({ port: await freePort(Number(process.env.SANDBOX_PORT ?? 4100)) });
  const stores = await openStores(sandbox.url);
  const port = String(await freePort(Number(process.env.PORT ?? 3000)));
  const origin = `http://127.0.0.1:${port}`;
  const logFile = join(FOLDER, 'log');
  const log = createWriteStream(logFile, { flags: 'a' });
  const service = startService({ ...sandbox.env, PORT: port, DATA_DIR: join(FOLDER, 'data') }, log);
  const ended = once(service, 'exit').then(() => Promise.reject(new Error(`The service has ended. See ${logFile}`)));
  try {
    const stopped = Promise.race([interrupted, ended]);
    await Promise.race([stopped, untilReady(service, origin).then(() => greet(origin, sandbox.url, stores))]);
    await stopped;
  } finally {
    await stopService(service);
    await keep(MEMORY, json(await remember(sandbox.url, stores)));
    await sandbox.close();
  }
}

/** Prints what runs, and the answers to the prompts of `pierhead init` and `connect`. */
async function greet(origin, stores, accounts) {
  const { items } = await (await fetch(`${origin}/api/v1/stores`)).json();
  say(`Pierhead runs at ${origin}. ${stores} stands in for the stores, which review a version in 5 s.`);
  say();
  say('  STORE    KEYS                   ITEM');
  for (const { id, name } of items) {
    const { itemId, guid, productId, crxId, appId } = accounts[id].item;
    const file = relative(process.cwd(), join(KEYS, `${id}.json`));
    say(`  ${name.padEnd(9)}${file.padEnd(23)}${itemId ?? guid ?? appId ?? `${productId}, CRX id ${crxId}`}`);
  }
  say();
  say(
    'Ctrl-C stops both and keeps your data in try/ for the next run. "npm run try -- --fresh" deletes it and starts over.',
  );
  say(`Next, in a second terminal: npx pierhead login ${origin}`);
}

const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
});
if (fresh) await rm(FOLDER, { recursive: true, force: true });
ensureBuilt();
ensureClusterBuilt();
ensureClientBuilt();
ensureConsoleBuilt();
await mkdir(FOLDER, { recursive: true, mode: 0o700 });
try {
  await run(interrupted);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

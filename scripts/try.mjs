// npm run try: Pierhead on the sandbox, for a person at a second terminal. What it makes is kept in try/ for the next run.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { EXIT_USAGE, flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureClientsBuilt, ensureClusterBuilt, ensureConsoleBuilt } from './built.mjs';
import { EXAMPLE, freePort, startSandbox, startService, stopService, untilReady } from './on-sandbox.mjs';
import { EMPTY, remember, restore, withExtension } from './sandbox-memory.mjs';

const { fresh, path } = flagsOf(
  'npm run try',
  'Runs Pierhead on the sandbox, which stands in for the stores, until Ctrl-C.',
  {
    fresh: 'Deletes what earlier runs have kept.',
  },
  {
    name: 'extension',
    what: 'Your extension: a folder with its manifest, or a project that was built. By default an example.',
  },
);
const FOLDER = join(process.cwd(), 'try');
const KEYS = join(FOLDER, 'keys');
const MEMORY = join(FOLDER, 'sandbox.json');
/** How much of what happens at the stores is lost when this process is killed. */
const REMEMBER_EVERY_MS = 2000;

const say = (text = '') => process.stdout.write(`${text}\n`);

/** Writes a file that only its owner can read, in one step. */
async function keep(file, content) {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
  await rename(temporary, file);
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Reads an extension as `pierhead init` does. Exits before anything is changed when there is none. */
async function readExtension(folder) {
  await import('@swc-node/register/esm-register');
  const { findPackage } = await import('../clients/cli/src/connecting/found-package.ts');
  try {
    const { manifest, geckoId } = await findPackage(folder);
    return { folder, name: manifest.name, geckoId };
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}

/** What the last run has kept. @throws Error when an older version of this script kept it, or it was damaged */
async function readMemory() {
  const text = await readFile(MEMORY, 'utf8').catch(() => null);
  if (text === null) return EMPTY;
  try {
    const memory = JSON.parse(text);
    if (Object.keys(EMPTY).every((name) => name in memory)) return memory;
  } catch {
    // The same holds for what is no JSON.
  }
  throw new Error(`${relative(process.cwd(), MEMORY)} cannot be read. Start over with: npm run try -- --fresh`);
}

/** Makes the stores of earlier runs again, with an item for the extension. */
async function openStores(origin, extension) {
  const memory = await restore(origin, withExtension(await readMemory(), extension));
  await mkdir(KEYS, { recursive: true, mode: 0o700 });
  for (const [store, account] of Object.entries(memory.accounts))
    await keep(join(KEYS, `${store}.json`), json(account));
  return memory;
}

/** Keeps the memory now, and whenever it has changed. @returns stops that, and keeps it once more */
async function keepMemory(origin, memory) {
  let kept = null;
  const keepNow = async () => {
    const now = json(await remember(origin, memory));
    if (now !== kept) await keep(MEMORY, now);
    kept = now;
  };
  await keepNow();
  let last = Promise.resolve();
  // Somebody may have reset the sandbox; then the file stays as it is.
  const timer = setInterval(() => {
    last = last.then(keepNow).catch(() => undefined);
  }, REMEMBER_EVERY_MS);
  return () => {
    clearInterval(timer);
    return last.then(keepNow);
  };
}

/** Runs until Ctrl-C. @throws Error when the service ends by itself */
async function run(interrupted, extension) {
  const sandbox = await startSandbox({ port: await freePort(Number(process.env.SANDBOX_PORT ?? 4100)) });
  const memory = await openStores(sandbox.url, extension);
  const rememberLast = await keepMemory(sandbox.url, memory);
  const port = String(await freePort(Number(process.env.PORT ?? 3000)));
  const origin = `http://127.0.0.1:${port}`;
  const logFile = join(FOLDER, 'log');
  const log = createWriteStream(logFile, { flags: 'a' });
  const service = startService({ ...sandbox.env, PORT: port, DATA_DIR: join(FOLDER, 'data') }, log);
  const ended = once(service, 'exit').then(() => Promise.reject(new Error(`The service has ended. See ${logFile}`)));
  try {
    const stopped = Promise.race([interrupted, ended]);
    await Promise.race([stopped, untilReady(service, origin).then(() => greet(origin, sandbox.url, memory))]);
    await stopped;
  } finally {
    await stopService(service);
    await rememberLast();
    await sandbox.close();
  }
}

/** Prints what runs, and the answers to the prompts of `pierhead init` and `connect`. */
async function greet(origin, sandbox, { extensions, approveAfterSeconds }) {
  const { items } = await (await fetch(`${origin}/api/v1/stores`)).json();
  const review = approveAfterSeconds === null ? 'where you review versions by hand' : 'which review a version in 5 s';
  say(`Pierhead runs at ${origin}. ${sandbox} stands in for the stores, ${review}.`);
  say('Open the latter to approve and reject versions yourself, and to sell and refund.');
  say();
  say('  STORE    KEYS                   ITEM');
  const { stores } = extensions.at(-1);
  for (const { id, name } of items) {
    const { itemId, guid, productId, crxId, appId } = stores[id].item;
    const file = relative(process.cwd(), join(KEYS, `${id}.json`));
    say(`  ${name.padEnd(9)}${file.padEnd(23)}${itemId ?? guid ?? appId ?? `${productId}, CRX id ${crxId}`}`);
  }
  say();
  say(
    'Ctrl-C stops both and keeps your data in try/ for the next run. "npm run try -- --fresh" deletes it and starts over.',
  );
  const init = path === null ? '' : `, and npx pierhead init ${path}`;
  say(`Next, in a second terminal: npx pierhead login ${origin}${init}`);
}

const interrupted = new Promise((interrupt) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
});
// npm runs scripts in the folder of the package, whichever one the person is in.
const extension = await readExtension(path === null ? EXAMPLE : resolve(process.env.INIT_CWD ?? '.', path));
if (fresh) await rm(FOLDER, { recursive: true, force: true });
ensureBuilt();
ensureClusterBuilt();
ensureClientsBuilt();
ensureConsoleBuilt();
await mkdir(FOLDER, { recursive: true, mode: 0o700 });
try {
  await run(interrupted, extension);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

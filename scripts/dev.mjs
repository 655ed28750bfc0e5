// npm run dev: the service and the console at one address, for who changes them. A change of the service is compiled and restarts it; Vite
// shows a change of the console in the open page. The embedded database stays in this process, so that a restart need not open it again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { dirname, join, relative, resolve } from 'node:path';
import { transformFile } from '@swc/core';
import { createServer as createVite } from 'vite';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureFirstStart, ROOT } from './built.mjs';
import { freePort, untilReady } from './on-sandbox.mjs';

flagsOf('npm run dev', 'Runs the service and the console at HOST:PORT, and takes over what you change.');
const SRC = join(ROOT, 'src');
/** Folders that Vite may read: not `data/`, where the keys are. */
const SERVED = ['console', 'src/common/http', 'clients/cli/src', 'node_modules'];
const PAGE = join(ROOT, 'console/index.html');
/** Paths that the console's page loads from Vite; all others are the service's. */
const OF_VITE = /^\/(?:@|src\/|node_modules\/)/;
/** The content security policy of the console's page, and of no other answer. */
const OF_CONSOLE = /^default-src 'none'; script-src 'self'/;
/** Editors write several files at once. */
const SETTLE_MS = 50;

const started = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const say = (text) => process.stdout.write(`${text}\n`);
const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = 'data' } = process.env;

/** Opens the embedded database, unless DATABASE_URL names a server, and the keys beside it. */
async function openDatabase() {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, keys: {}, stop: () => undefined };
  const { startEmbeddedPostgres } = await import('../dist/common/database/index.js');
  const { keepSecrets, readEnvironment, secretFile } = await import('../dist/common/config/index.js');
  const database = await startEmbeddedPostgres(resolve(DATA_DIR));
  await keepSecrets(readEnvironment({ DATA_DIR }));
  const keyOf = (secret) => readFileSync(secretFile(DATA_DIR, secret), 'utf8').trim();
  return {
    // Like a pooler in transaction mode, the embedded database has one session for all connections.
    url: `${database.url}?pgbouncer=true`,
    keys: {
      ENCRYPTION_KEYS: keyOf('encryptionKeys'),
      CODE_PEPPERS: keyOf('codePeppers'),
      TOKEN_SECRET: keyOf('tokenSecret'),
    },
    stop: () => database.stop(),
  };
}

/** The service as a process. Requests wait while it restarts. */
class Restarted {
  constructor(env, port) {
    this.env = { ...env, HOST: '127.0.0.1', PORT: String(port) };
    this.origin = `http://127.0.0.1:${port}`;
  }

  start() {
    this.child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'dist/main.js')], {
      env: this.env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.ready = untilReady(this.child, this.origin);
    return this.ready;
  }

  /** Ends it at once, as a crash would: what it was doing can be repeated, and waiting for open connections takes seconds. */
  async stop() {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** Compiles changed files into `dist/`, as the build does. @throws the compiler's error */
async function compile(paths) {
  for (const path of paths) {
    const output = join(ROOT, 'dist', relative(SRC, path).replace(/\.ts$/, '.js'));
    const compiled = await transformFile(path, { cwd: ROOT, sourceMaps: 'inline' }).catch((error) => {
      if (error.code === 'ENOENT' || /No such file/.test(error.message)) return null;
      throw error;
    });
    if (compiled === null) {
      rmSync(output, { force: true });
      continue;
    }
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, compiled.code);
  }
}

/** Answers with what the service answers, or with Vite's page where that would be the console's. */
async function forward(incoming, response, service, vite) {
  await service.ready;
  const { method, url, headers } = incoming;
  const outgoing = request(service.origin + url, { method, headers }, (answer) => {
    const isConsole = OF_CONSOLE.test(answer.headers['content-security-policy']);
    if (!isConsole) return answer.pipe(response.writeHead(answer.statusCode, answer.headers));
    answer.resume();
    return vite.transformIndexHtml(url, readFileSync(PAGE, 'utf8')).then(
      (page) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

ensureBuilt();
ensureFirstStart();
const server = createServer().listen(Number(PORT), HOST);
await once(server, 'listening');
const origin = `http://${HOST}:${server.address().port}`;
const [database, vite, port] = await Promise.all([
  openDatabase(),
  createVite({
    configFile: join(ROOT, 'console/vite.config.ts'),
    appType: 'custom',
    clearScreen: false,
    server: { middlewareMode: true, ws: { server }, fs: { allow: SERVED.map((path) => join(ROOT, path)) } },
  }),
  freePort(),
]);
const service = new Restarted(
  { PUBLIC_URL: origin, ...database.keys, ...process.env, DATABASE_URL: database.url },
  port,
);
server.on('request', (incoming, response) => {
  if (OF_VITE.test(incoming.url)) vite.middlewares(incoming, response);
  else
    forward(incoming, response, service, vite).catch(() =>
      response.writeHead(503, { 'content-type': 'text/plain' }).end('The service has ended: the terminal says why.\n'),
    );
});

let isStopping = false;
let changed = new Set();
let turn = service.start().then(
  () => say(`Pierhead runs at ${origin} (ready in ${seconds(started)}). Ctrl-C stops it.`),
  () => say('The service has ended. It starts again when you change it.'),
);

/** Takes over all that has changed since the last time. */
async function takeOver() {
  const since = performance.now();
  const paths = changed;
  changed = new Set();
  if (paths.size === 0 || isStopping) return;
  try {
    await compile(paths);
    await service.stop();
    await service.start();
    say(`Pierhead runs at ${origin} again (${seconds(since)}).`);
  } catch (error) {
    // What comes after the faulty file is compiled with the next change.
    for (const path of paths) changed.add(path);
    // Below its own sentence, the compiler adds where in itself it noticed.
    say(error.message.split('\n\nCaused by')[0]);
  }
}

vite.watcher.add(SRC).on('all', (event, path) => {
  if (!path.startsWith(SRC) || !/(?<!\.spec)\.ts$/.test(path)) return;
  changed.add(path);
  setTimeout(() => {
    turn = turn.then(takeOver);
  }, SETTLE_MS);
});

// The listeners stay: npm passes on a signal that the terminal has sent to both.
await new Promise((stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
});
isStopping = true;
await turn;
await service.stop();
await database.stop();
process.exit(0);

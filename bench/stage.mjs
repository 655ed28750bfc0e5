// What every benchmark shares: processes that end with it, a service to measure, memory to watch, lines to print.
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ROOT } from '../scripts/built.mjs';
import { freePort } from '../scripts/on-sandbox.mjs';

const READY_MS = 120_000;
/** How exactly the time of a start is known. */
const READY_POLL_MS = 50;
const END_MS = 30_000;
const LEFT = /^pierhead-bench-(?<pid>\d+)-/;
/** Has Node end a built program when the benchmark is gone; takes an `ipc` channel. */
export const LEASHED = ['--import', new URL('leash.mjs', import.meta.url).href];

export const say = (text = '') => process.stdout.write(`${text}\n`);
export const note = (text) => process.stderr.write(`${text}\n`);

/** Everything to undo, the newest first. @type {(() => Promise<unknown>)[]} */
const undo = [];
/** The clean-up once it has begun: all callers wait for the same one, so that none ends the process in the middle of it. */
let cleaning = null;

/** Has something undone when the benchmark ends, however it ends. @param {() => Promise<unknown>} step */
export const undoLater = (step) => void undo.push(step);

async function undoAll() {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step().catch((error) => note(String(error)));
}

function cleanUp() {
  cleaning ??= undoAll();
  return cleaning;
}

/**
 * Has a child process ended with everything else.
 * @param {import('node:child_process').ChildProcess} child
 */
export function endLater(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  undoLater(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(late);
  });
}

/**
 * Starts a program of bench/reference, without the caller's flags and settings, which must not decide the figures.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<{ pid: number, origin: string }>}
 */
export async function startReference(program, args = []) {
  const child = fork(join(ROOT, 'bench/reference', program), args, { env: {}, execArgv: [] });
  endLater(child);
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  return { pid: child.pid, origin: `http://127.0.0.1:${port}` };
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes the folders of runs that were killed. */
async function removeLeft() {
  for (const name of await readdir(tmpdir())) {
    const pid = LEFT.exec(name)?.groups.pid;
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** A folder that goes with the benchmark. @returns {Promise<string>} */
export async function scratchFolder() {
  await removeLeft();
  const folder = await mkdtemp(join(tmpdir(), `pierhead-bench-${process.pid}-`));
  undoLater(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Keys that several processes on one database server share. */
export const serverKeys = () => ({
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CODE_PEPPERS: `p1:${randomBytes(32).toString('base64')}`,
  TOKEN_SECRET: randomBytes(32).toString('hex'),
});

/**
 * Starts the built service on a port of its own, without anything of the caller's environment.
 * @param {string} folder its DATA_DIR
 * @param {Record<string, string>} env
 * @returns {Promise<{ pid: number, origin: string, child: import('node:child_process').ChildProcess, log: string }>}
 */
export async function startService(folder, env = {}) {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const path = join(folder, `log-${port}`);
  const log = await open(path, 'a');
  const child = spawn(process.execPath, [...LEASHED, join(ROOT, 'dist/main.js')], {
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      // No store outside of this machine could be asked.
      CHROME_API_URL: 'http://127.0.0.1:9',
      ...env,
    },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  endLater(child);
  await log.close();
  const origin = `http://127.0.0.1:${port}`;
  for (const started = Date.now(); ; await pause(READY_POLL_MS)) {
    if (child.exitCode !== null || Date.now() - started > READY_MS)
      throw new Error(`The service did not start:\n${await readFile(path, 'utf8')}`);
    const ready = await fetch(`${origin}/health/ready`).catch(() => null);
    if (ready?.ok) break;
  }
  return { pid: child.pid, origin, child, log: path };
}

/** Calls the API, and takes no answer but a success. @param {string} origin @param {Record<string, string>} headers */
export const apiOf =
  (origin, headers = {}) =>
  async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
      body: body === undefined || type !== 'application/json' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return { body: text === '' ? null : JSON.parse(text), cookie: response.headers.get('set-cookie')?.split(';')[0] };
  };

/** A tenant with a session, by its cookie, and a token that may do everything. @param {string} origin @param {string} email */
export async function signUp(origin, email = 'bench@example.com') {
  const user = { email, password: 'correct horse battery staple', tenantName: 'Bench' };
  const { cookie } = await apiOf(origin)('POST', '/auth/signup', user);
  const session = apiOf(origin, { cookie });
  const { body: access } = await session('POST', '/access-tokens', { name: 'bench', scopes: ['*'] });
  return { cookie, session, token: access.token, api: apiOf(origin, { authorization: `Bearer ${access.token}` }) };
}

/** @param {number} pid @returns {{ resident: number, highest: number }} in bytes */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { resident: field('VmRSS'), highest: field('VmHWM') };
}

/** @param {number[]} figures */
export function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** Runs a benchmark to its end, and undoes everything whatever happens. @param {() => Promise<void>} run */
export async function onStage(run) {
  let isStopped = false;
  const stop = (code) => {
    isStopped = true;
    void cleanUp().then(() => process.exit(code));
  };
  process.once('SIGINT', () => stop(130));
  process.once('SIGTERM', () => stop(143));
  process.once('SIGHUP', () => stop(129));
  // The reader of the output has ended, as `| head` does: stop the service too.
  process.stdout.once('error', () => stop(1));
  try {
    await run();
  } catch (error) {
    // After a stop, errors only say that processes and databases are gone.
    if (!isStopped) note(inspect(error));
    process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}

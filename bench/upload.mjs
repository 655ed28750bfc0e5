// npm run bench:upload: how fast a large package is pushed, beside bare node:http, and whether memory stays flat meanwhile.
// `-- --smoke` only shows that it works; `-- --rounds 20` measures longer.
import { fork, spawn } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import yazl from 'yazl';
import { ensureBuilt, ROOT } from '../scripts/built.mjs';

/** @typedef {{ path: string, bytes: number, sha256: string, version: string }} Package */
/** @typedef {{ resident: number, highest: number }} Memory in bytes */
/** @typedef {{ name: string, pid: number, send: (made: Package) => Promise<object> }} Contestant */

const MIN_RATIO = 0.85;
const MAX_GROWTH_BYTES = 80e6;
const PIECES = 10;
const CHUNK_BYTES = 1024 * 1024;
const SAMPLE_MS = 20;
const READY_MS = 120_000;
const END_MS = 30_000;
/** The disk's own work in the kernel counts as others', and stays below this on an idle machine. */
const NOISY_CORES = 0.3;

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = options.smoke ? 1 : Number(options.rounds);
const PACKAGE_BYTES = options.smoke ? 5e6 : 150e6;

const say = (text = '') => process.stdout.write(`${text}\n`);
const note = (text) => process.stderr.write(`${text}\n`);

/** Everything to undo, the newest first. @type {(() => Promise<unknown>)[]} */
const undo = [];

async function cleanUp() {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step().catch((error) => note(String(error)));
}

/**
 * Has a child process ended with everything else.
 * @param {import('node:child_process').ChildProcess} child
 */
function endLater(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  undo.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(late);
  });
}

// --- the package ----------------------------------------------------------------------------------------------------

/** Bytes that no packing makes smaller, as images and WebAssembly are. @param {number} bytes */
function* noise(bytes) {
  for (let left = bytes; left > 0; left -= CHUNK_BYTES)
    yield randomFillSync(Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES)));
}

/**
 * Makes an extension of about PACKAGE_BYTES; new content each time, because the service keeps the same content once.
 * @param {string} path
 * @param {string} version
 * @returns {Promise<Package>}
 */
async function makePackage(path, version) {
  const zip = new yazl.ZipFile();
  const manifest = { manifest_version: 3, name: 'Large', version, background: { service_worker: 'worker.js' } };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.addBuffer(Buffer.from('// does nothing\n'), 'worker.js');
  for (let piece = 0; piece < PIECES; piece++)
    zip.addReadStreamLazy(`data/${piece}.bin`, { compress: false }, (ready) =>
      ready(null, Readable.from(noise(PACKAGE_BYTES / PIECES), { objectMode: false })),
    );
  zip.end();
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(zip.outputStream, counted, createWriteStream(path));
  await settle(path);
  return { path, bytes, sha256: hash.digest('hex'), version };
}

/** Has the disk finish with what was made and removed before, so that no push pays for it. @param {string} path */
async function settle(path) {
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
}

// --- the two that are measured ----------------------------------------------------------------------------------------

/**
 * Sends a package as a streaming client does, on a connection of its own.
 * @param {string} url
 * @param {Package} made
 * @param {Record<string, string>} headers
 * @returns {Promise<{ status: number, text: string }>}
 */
function post(url, { path, bytes }, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/zip', 'content-length': bytes, ...headers },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      response
        .toArray()
        .then((chunks) => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }), reject);
    });
    createReadStream(path, { highWaterMark: CHUNK_BYTES }).once('error', reject).pipe(request);
  });
}

/**
 * Pushes a package and makes sure that all of it arrived.
 * @param {Contestant} contestant
 * @param {Package} made
 * @returns {Promise<number>} MB/s
 */
async function measure({ name, send }, made) {
  const started = performance.now();
  const { status, text } = await send(made);
  const seconds = (performance.now() - started) / 1000;
  if (status !== 200 && status !== 201) throw new Error(`The ${name} answered ${status}: ${text}`);
  const { sha256, artifact } = JSON.parse(text);
  if ((artifact?.sha256 ?? sha256) !== made.sha256) throw new Error(`The ${name} received other bytes: ${text}`);
  return made.bytes / 1e6 / seconds;
}

/** @param {string} folder where it writes @returns {Promise<Contestant>} */
async function startReference(folder) {
  await mkdir(folder);
  // Without the caller's flags and settings, which must not decide the figures.
  const child = fork(join(ROOT, 'bench/reference/upload-server.mjs'), [folder], { env: {}, execArgv: [] });
  endLater(child);
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The reference ended with ${code}`)));
  });
  return { name: 'reference', pid: child.pid, send: (made) => post(`http://127.0.0.1:${port}`, made) };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** @param {string} folder where it keeps its data @returns {Promise<Contestant>} */
async function startService(folder) {
  await mkdir(folder);
  const port = await freePort();
  const log = await open(join(folder, 'log'), 'a');
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    // Nothing of the caller's, as above; and no store outside of this machine could be asked.
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      CHROME_API_URL: 'http://127.0.0.1:9',
    },
    stdio: ['ignore', log.fd, log.fd],
  });
  endLater(child);
  await log.close();
  const origin = `http://127.0.0.1:${port}`;
  for (const started = Date.now(); ; await pause(150)) {
    if (child.exitCode !== null || Date.now() - started > READY_MS)
      throw new Error(`The service did not start:\n${await readFile(join(folder, 'log'), 'utf8')}`);
    const ready = await fetch(`${origin}/health/ready`).catch(() => null);
    if (ready?.ok) break;
  }
  const { token, extensionId } = await signUp(`${origin}/api/v1`);
  const headers = { authorization: `Bearer ${token}` };
  const send = (made) => {
    const query = new URLSearchParams({ extension: extensionId, version: made.version });
    return post(`${origin}/api/v1/artifacts?${query}`, made, headers);
  };
  return { name: 'service', pid: child.pid, send };
}

/** @param {string} base */
async function signUp(base) {
  const call = async (path, body, headers) => {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    return { body: await response.json(), cookie: response.headers.get('set-cookie')?.split(';')[0] };
  };
  const user = { email: 'bench@example.com', password: 'correct horse battery staple', tenantName: 'Bench' };
  const { cookie } = await call('/auth/signup', user);
  const { body: access } = await call('/access-tokens', { name: 'bench', scopes: ['*'] }, { cookie });
  const { body: extension } = await call('/extensions', { name: 'Large' }, { authorization: `Bearer ${access.token}` });
  return { token: access.token, extensionId: extension.id };
}

// --- memory and processor ---------------------------------------------------------------------------------------------

/** @param {number} pid @returns {Memory} */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { resident: field('VmRSS'), highest: field('VmHWM') };
}

/**
 * Follows a process from now on. Growth is its largest rise above any earlier moment, because memory that is left over
 * from the start may be given back meanwhile and would hide what a push takes.
 * @param {number} pid
 */
function watchMemory(pid) {
  const before = memoryOf(pid);
  let [lowest, peak, growth] = [before.resident, before.resident, 0];
  const sample = () => {
    const { resident } = memoryOf(pid);
    lowest = Math.min(lowest, resident);
    peak = Math.max(peak, resident);
    growth = Math.max(growth, resident - lowest);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  undo.push(async () => clearInterval(timer));
  return () => {
    sample();
    clearInterval(timer);
    const { highest } = memoryOf(pid);
    // Where the kernel's own mark has risen it is the peak, which samples may have missed.
    if (highest > before.highest) [peak, growth] = [highest, Math.max(growth, highest - before.resident)];
    return { before: before.resident, peak, growth };
  };
}

/** Processor time used so far by everyone on this machine, and by the processes given; in ticks of 10 ms. */
function processorTime(pids) {
  const [user, nice, system, , , interrupts, softInterrupts] = readFileSync('/proc/stat', 'utf8')
    .match(/\d+/g)
    .map(Number);
  const own = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return { all: user + nice + system + interrupts + softInterrupts, own: own.reduce((sum, each) => sum + each, 0) };
}

/** Watches how many cores everybody else keeps busy, which says how far the figures can be trusted. */
function watchOthers(pids) {
  const from = processorTime(pids);
  const started = performance.now();
  return () => {
    const to = processorTime(pids);
    return (to.all - from.all - (to.own - from.own)) / ((performance.now() - started) / 10);
  };
}

// --- the run ----------------------------------------------------------------------------------------------------------

async function run() {
  ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-bench-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const zip = join(folder, 'package.zip');
  const reference = await startReference(join(folder, 'reference'));
  const service = await startService(join(folder, 'service'));

  const round = async (version) => {
    const made = await makePackage(zip, version);
    const speeds = { reference: await measure(reference, made), service: await measure(service, made) };
    return { made, ...speeds, ratio: speeds.service / speeds.reference };
  };
  const pids = [process.pid, reference.pid, service.pid];
  note('Warming up…');
  const fromIdle = watchMemory(service.pid);
  await round('1.0.0');
  const watches = [reference, service].map(({ pid }) => watchMemory(pid));
  const watchedOthers = watchOthers(pids);
  const rounds = [];
  for (let at = 1; at <= ROUNDS; at++) {
    const done = await round(`1.0.${at}`);
    note(
      `Round ${at} of ${ROUNDS}: reference ${done.reference.toFixed(0)} MB/s, service ${done.service.toFixed(0)} MB/s`,
    );
    rounds.push(done);
  }
  const again = [];
  for (let at = 1; at <= ROUNDS; at++) again.push(await measure(service, rounds.at(-1).made));
  const others = watchedOthers();
  const [referenceMemory, serviceMemory, memoryFromIdle] = [...watches, fromIdle].map((stop) => stop());
  report({ rounds, again, referenceMemory, serviceMemory, memoryFromIdle, others });
}

// --- the report -------------------------------------------------------------------------------------------------------

/** @param {number[]} figures */
function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

const row = (name, cells, rest = '') =>
  say(`  ${name.padEnd(30)}${cells.map((cell) => cell.padStart(8)).join('')}  ${rest}`.trimEnd());
const spread = (figures, digits) =>
  [median(figures), Math.min(...figures), Math.max(...figures)].map((each) => each.toFixed(digits));
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const verdict = (wanted, isMet) =>
  `target ${wanted}: ${options.smoke ? 'not judged in a smoke run' : isMet ? 'met' : 'MISSED'}`;

function report({ rounds, again, referenceMemory, serviceMemory, memoryFromIdle, others }) {
  const ratios = rounds.map(({ ratio }) => ratio);
  const memoryCells = ({ before, peak, growth }) => [before, peak, growth].map(megabytes);
  const size = megabytes(rounds[0].made.bytes);
  say(`\nPush of a zip of ${size} MB, hashed and on the disk before the answer; rounds: ${ROUNDS}, after a warm-up\n`);
  row('MB/s', ['median', 'min', 'max']);
  row(
    'reference (bare node:http)',
    spread(
      rounds.map(({ reference }) => reference),
      0,
    ),
  );
  row(
    'service',
    spread(
      rounds.map(({ service }) => service),
      0,
    ),
  );
  row('service, same content again', spread(again, 0));
  row(
    'service / reference, per round',
    spread(ratios, 2),
    verdict(`at least ${MIN_RATIO}`, median(ratios) >= MIN_RATIO),
  );
  say();
  row('Resident memory, MB', ['before', 'peak', 'growth']);
  row('reference', memoryCells(referenceMemory));
  const isFlat = serviceMemory.growth <= MAX_GROWTH_BYTES;
  row('service', memoryCells(serviceMemory), verdict(`at most ${MAX_GROWTH_BYTES / 1e6}`, isFlat));
  row('service, warm-up included', memoryCells(memoryFromIdle));
  say();
  say(`  ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, ${process.platform}`);
  say(
    `  Others kept ${others.toFixed(2)} cores busy meanwhile${others > NOISY_CORES ? ': too noisy to judge, repeat' : ''}`,
  );
}

/** @param {number} code */
const stop = (code) => void cleanUp().then(() => process.exit(code));
process.once('SIGINT', () => stop(130));
process.once('SIGTERM', () => stop(143));
process.once('SIGHUP', () => stop(129));
// Nobody reads on, as below `| head`: no reason to leave the service running.
process.stdout.once('error', () => stop(1));
try {
  await run();
} catch (error) {
  note(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await cleanUp();
}

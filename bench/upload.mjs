// npm run bench:upload: how fast a large package is pushed, beside bare node:http, and whether memory stays flat meanwhile.
// `-- --smoke` only shows that it works; `-- --rounds 20` measures longer.
import { fork } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import http from 'node:http';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import yazl from 'yazl';
import { ensureBuilt, ROOT } from '../scripts/built.mjs';
import {
  endLater,
  median,
  megabytes,
  memoryOf,
  note,
  onStage,
  say,
  scratchFolder,
  signUp,
  startService,
  undoLater,
} from './stage.mjs';

/** @typedef {{ path: string, bytes: number, sha256: string, version: string }} Package */
/** @typedef {{ name: string, pid: number, send: (made: Package) => Promise<object> }} Contestant */

const MIN_RATIO = 0.85;
const MAX_GROWTH_BYTES = 80e6;
const PIECES = 10;
const CHUNK_BYTES = 1024 * 1024;
const SAMPLE_MS = 20;
/** The disk's own work in the kernel counts as others', and stays below this on an idle machine. */
const NOISY_CORES = 0.3;

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = options.smoke ? 1 : Number(options.rounds);
const PACKAGE_BYTES = options.smoke ? 5e6 : 150e6;

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

/** @param {string} folder where it keeps its data @returns {Promise<Contestant>} */
async function startContestant(folder) {
  const { pid, origin } = await startService(folder);
  const { token, api } = await signUp(origin);
  const { body: extension } = await api('POST', '/extensions', { name: 'Large' });
  const send = (made) => {
    const query = new URLSearchParams({ extension: extension.id, version: made.version });
    return post(`${origin}/api/v1/artifacts?${query}`, made, { authorization: `Bearer ${token}` });
  };
  return { name: 'service', pid, send };
}

// --- memory and processor ---------------------------------------------------------------------------------------------

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
  undoLater(async () => clearInterval(timer));
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
  const folder = await scratchFolder();
  const zip = join(folder, 'package.zip');
  const reference = await startReference(join(folder, 'reference'));
  const service = await startContestant(join(folder, 'service'));

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

const row = (name, cells, rest = '') =>
  say(`  ${name.padEnd(30)}${cells.map((cell) => cell.padStart(8)).join('')}  ${rest}`.trimEnd());
const spread = (figures, digits) =>
  [median(figures), Math.min(...figures), Math.max(...figures)].map((each) => each.toFixed(digits));
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

await onStage(run);

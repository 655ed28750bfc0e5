// Pushes of a large package beside bare node:http that hashes and writes the same bytes, and what memory they take.
import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { watchOthers } from './noise.mjs';
import { memoryOf, note, scratchFolder, signUp, startReference, startService, undoLater } from './stage.mjs';

/** @typedef {{ path: string, bytes: number, sha256: string, version: string }} Package */
/** @typedef {{ name: string, pid: number, send: (made: Package) => Promise<object> }} Contestant */

const PIECES = 10;
const CHUNK_BYTES = 1024 * 1024;
const SAMPLE_MS = 20;

// --- the package ----------------------------------------------------------------------------------------------------

/** Bytes that no packing makes smaller, as images and WebAssembly are. @param {number} bytes */
function* noise(bytes) {
  for (let left = bytes; left > 0; left -= CHUNK_BYTES)
    yield randomFillSync(Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES)));
}

/**
 * Makes an extension of about a size; new content each time, because the service keeps the same content once.
 * @param {string} path
 * @param {string} version
 * @param {number} size in bytes
 * @returns {Promise<Package>}
 */
export async function makePackage(path, version, size) {
  const zip = new yazl.ZipFile();
  const manifest = { manifest_version: 3, name: 'Large', version, background: { service_worker: 'worker.js' } };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.addBuffer(Buffer.from('// does nothing\n'), 'worker.js');
  for (let piece = 0; piece < PIECES; piece++)
    zip.addReadStreamLazy(`data/${piece}.bin`, { compress: false }, (ready) =>
      ready(null, Readable.from(noise(size / PIECES), { objectMode: false })),
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
  await flush(path);
  return { path, bytes, sha256: hash.digest('hex'), version };
}

/** Has the disk finish with what was made and removed before, so that no push pays for it. @param {string} path */
async function flush(path) {
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
export async function measure({ name, send }, made) {
  const started = performance.now();
  const { status, text } = await send(made);
  const seconds = (performance.now() - started) / 1000;
  if (status !== 200 && status !== 201) throw new Error(`The ${name} answered ${status}: ${text}`);
  const { sha256, artifact } = JSON.parse(text);
  if ((artifact?.sha256 ?? sha256) !== made.sha256) throw new Error(`The ${name} received other bytes: ${text}`);
  return made.bytes / 1e6 / seconds;
}

/** @param {string} folder where it writes @returns {Promise<Contestant>} */
async function startBare(folder) {
  await mkdir(folder);
  const { pid, origin } = await startReference('upload-server.mjs', [folder]);
  return { name: 'reference', pid, send: (made) => post(origin, made) };
}

/**
 * What pushes to a service.
 * @param {{ pid: number, origin: string }} service
 * @param {{ token: string, extension: string }} author of {@link newAuthor}
 * @returns {Contestant}
 */
export const pushing = ({ pid, origin }, { token, extension }) => ({
  name: 'service',
  pid,
  send: (made) => {
    const query = new URLSearchParams({ extension, version: made.version });
    return post(`${origin}/api/v1/artifacts?${query}`, made, { authorization: `Bearer ${token}` });
  },
});

/** The first user of a service, with an extension. @param {{ origin: string }} service */
export async function newAuthor({ origin }) {
  const { token, api } = await signUp(origin);
  const { body: extension } = await api('POST', '/extensions', { name: 'Large' });
  return { token, extension: extension.id };
}

// --- memory and processor ---------------------------------------------------------------------------------------------

/**
 * Follows a process from now on. Growth is its largest rise above any earlier moment, because memory that is left over
 * from the start may be given back meanwhile and would hide what a push takes.
 * @param {number} pid
 */
export function watchMemory(pid) {
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
    return { peak, growth };
  };
}

// --- the measuring ----------------------------------------------------------------------------------------------------

/**
 * Pushes a new package to each in turn, round after round; one round warms up. The service is on its embedded database.
 * @param {number} count of rounds
 * @param {number} size of a package in bytes
 * @returns {Promise<{ rounds: { reference: number, service: number, ratio: number }[], growth: number, others: number }>} speeds in MB/s,
 *   how much the service's memory grew in bytes, and the cores that others kept busy
 */
export async function measurePushes(count, size) {
  const folder = await scratchFolder();
  const zip = join(folder, 'package.zip');
  const reference = await startBare(join(folder, 'reference'));
  const started = await startService(join(folder, 'service'));
  const service = pushing(started, await newAuthor(started));

  const round = async (version) => {
    const made = await makePackage(zip, version, size);
    const speeds = { reference: await measure(reference, made), service: await measure(service, made) };
    return { ...speeds, ratio: speeds.service / speeds.reference };
  };
  note('Warming up…');
  await round('1.0.0');
  const stopMemory = watchMemory(service.pid);
  const stopWatch = watchOthers();
  const rounds = [];
  for (let at = 1; at <= count; at++) {
    const done = await round(`1.0.${at}`);
    note(
      `Round ${at} of ${count}: reference ${done.reference.toFixed(0)} MB/s, service ${done.service.toFixed(0)} MB/s`,
    );
    rounds.push(done);
  }
  const others = stopWatch();
  return { rounds, growth: stopMemory().growth, others };
}

// Loads a program with requests that have been made ahead.
import { Worker } from 'node:worker_threads';
import { undoLater } from '../stage.mjs';
import { quantile } from './figures.mjs';

/** @typedef {{ host: string, port: number, requests: Uint8Array, ends: Uint32Array }} Prepared */
/** @typedef {{ perSecond: number, p50: number, p99: number, sent: number }} Figures times in ms; `sent` counts those after the end as well */

/**
 * Writes requests out as they will be sent.
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string> }} head
 * @param {readonly (string | { headers: Record<string, string>, body: string })[]} bodies one request for each, with headers of its own where
 *   it has some, or one without a body when there is none
 * @returns {Prepared}
 */
export function prepare(url, { method = 'POST', headers = {} }, bodies) {
  const { hostname, port, host, pathname, search } = new URL(url);
  const lines = (fields) => Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines({ host, ...headers }).join('')}`;
  const withBody = (one) => {
    const { headers: own, body } = typeof one === 'string' ? { headers: {}, body: one } : one;
    const all = lines({ ...own, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    return `${head}${all.join('')}\r\n${body}`;
  };
  const texts = bodies.length === 0 ? [`${head}\r\n`] : bodies.map(withBody);
  const ends = new Uint32Array(new SharedArrayBuffer(texts.length * Uint32Array.BYTES_PER_ELEMENT));
  let total = 0;
  for (const [at, text] of texts.entries()) {
    total += Buffer.byteLength(text);
    ends[at] = total;
  }
  const requests = Buffer.from(new SharedArrayBuffer(total));
  for (const [at, text] of texts.entries()) requests.write(text, at === 0 ? 0 : ends[at - 1]);
  return { host: hostname, port: Number(port), requests, ends };
}

/** Starts the thread that sends. */
export function startLoader() {
  const thread = new Worker(new URL('sender.mjs', import.meta.url));
  undoLater(() => thread.terminate());

  /**
   * Sends requests for some seconds, each connection its next one when it has been answered, or `perSecond` evenly.
   * @param {Prepared} prepared
   * @param {{ connections: number, seconds: number, expected?: string, count?: number, isOnce?: boolean, perSecond?: number }} how `expected` is what every
   *   answer contains, `count` how many of the requests are sent, over and over unless `isOnce`; then it may be over before its time
   * @returns {Promise<Figures>}
   * @throws when any of them failed
   */
  const send = async (prepared, { expected = '', count = prepared.ends.length, isOnce = false, ...how }) => {
    const done = new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    thread.postMessage({ ...prepared, ...how, expected, count, isOnce });
    const { sent, answered, failed, firstFailure, times, seconds } = await done;
    thread.removeAllListeners('error');
    if (failed > 0) throw new Error(`${failed} of ${sent} requests failed, the first with ${firstFailure}`);
    return { perSecond: answered / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99), sent };
  };
  return { send };
}

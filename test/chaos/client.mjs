// Requests of many clients, each from an address of its own.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const GIVE_UP_MS = 30_000;
const RETRY_MS = 200;
/** Installs that are no browsers are not counted. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** What a client may hear while something is away; anything else is a fault. */
const LATER = new Set([502, 503, 504]);

/** Another address of this machine for each number. */
export const addressOf = (number) => `127.1.${(number >> 8) & 255}.${number & 255 || 1}`;

/** Answers that no disturbance explains, each once. @type {Map<string, number>} */
export const faults = new Map();

export function fault(what) {
  faults.set(what, (faults.get(what) ?? 0) + 1);
}

/**
 * A client of the service at one address.
 * @param {string} origin @param {number} number of the address @param {Record<string, string>} headers
 * @returns what sends a request, and returns the answer, or status 0 when there was none
 */
export function clientAt(origin, number, headers = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: addressOf(number) });
  return async (method, path, body, more = {}) => {
    const payload =
      body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
    const type = Buffer.isBuffer(body) ? 'application/zip' : 'application/json';
    const sent = {
      'user-agent': USER_AGENT,
      ...headers,
      ...more,
      ...(payload === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
    };
    try {
      const response = await new Promise((resolve, reject) => {
        const asked = request(`${origin}${path}`, { method, agent, headers: sent, timeout: GIVE_UP_MS }, resolve);
        asked.once('error', reject).once('timeout', () => asked.destroy(new Error('no answer')));
        asked.end(payload);
      });
      const said = await text(response);
      return { status: response.statusCode, body: isJson(response) && said !== '' ? JSON.parse(said) : said };
    } catch {
      return { status: 0, body: null };
    }
  };
}

const isJson = ({ headers }) => /json/.test(headers['content-type'] ?? '');

/** Notes an answer that is neither what was asked for nor one that says to come later. */
export function judge(what, { status, body }) {
  if (status !== 0 && !LATER.has(status)) fault(`${what} answered ${status} ${JSON.stringify(body).slice(0, 200)}`);
}

/**
 * Sends a request that may be repeated until it is acknowledged, as clients do.
 * @param {() => Promise<{ status: number, body: any }>} send
 * @param {() => boolean} isOver whether to give up
 * @returns the answer, or null when it was never acknowledged
 */
export async function untilTaken(what, send, isOver) {
  for (;;) {
    const answer = await send();
    if (answer.status >= 200 && answer.status < 300) return answer;
    judge(what, answer);
    if (isOver() || (answer.status >= 400 && answer.status < 500)) return null;
    await pause(RETRY_MS);
  }
}

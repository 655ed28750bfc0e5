// A thread that sends prepared requests, one at a time on each connection: each as soon as the one before has been answered, or so many a second.
// It reads no more of an answer than it must, because whatever it takes of the processor the measured program does not get.
import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { BUCKET_MS, BUCKETS } from './figures.mjs';

/**
 * @typedef {object} Order
 * @property {string} host
 * @property {number} port
 * @property {Uint8Array} requests all of them, one behind the other
 * @property {Uint32Array} ends where each ends
 * @property {number} count how many of them to send
 * @property {boolean} isOnce whether it is over when each has been sent; otherwise they are sent over and over
 * @property {number} connections
 * @property {number} seconds
 * @property {string} expected what every answer must contain
 * @property {number} [perSecond] how many to send evenly, however soon they are answered; a request that finds no free connection waits, and its time counts
 */

const READ_BYTES = 64 * 1024;
/** An answer that takes longer is none. */
const LATE_MS = 15_000;
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');
/** The first digit of a status that says yes, and where it stands. */
const [YES, YES_AT] = ['2'.charCodeAt(0), 'HTTP/1.1 '.length];

/** Whether all of an answer has arrived. @param {Buffer} bytes */
function isWhole(bytes) {
  const at = bytes.indexOf(HEAD_END);
  if (at === -1) return false;
  const head = bytes.latin1Slice(0, at + 2);
  const length = /\ncontent-length: *(\d+)/i.exec(head);
  if (length !== null) return bytes.length >= at + HEAD_END.length + Number(length[1]);
  return /\ntransfer-encoding: *chunked/i.test(head)
    ? bytes.subarray(-CHUNKS_END.length).equals(CHUNKS_END)
    : head.startsWith('HTTP/1.1 204 ');
}

/** One connection: asks again and again until it is told that the time is over. */
class Connection {
  #rest = null;
  #sentAt = 0;

  /**
   * @param {{ host: string, port: number }} where
   * @param {() => Buffer} nextRequest
   * @param {{ answered: (answer: Buffer, ms: number, now: number) => boolean, connected: () => void, failed: (what: string) => void, free: (connection: Connection, now: number) => void }} to
   *   `answered` says whether to go on, and `free` has the connection ask again
   */
  constructor({ host, port }, nextRequest, to) {
    this.nextRequest = nextRequest;
    this.to = to;
    const onread = {
      buffer: Buffer.alloc(READ_BYTES),
      callback: (size, buffer) => this.#read(buffer.subarray(0, size)),
    };
    this.socket = connect({ host, port, noDelay: true, onread });
    this.socket.once('connect', to.connected);
    this.socket.once('error', (error) => to.failed(String(error)));
    this.socket.once('end', () => to.failed('The connection was closed'));
  }

  /** @param {number} at when the request was due */
  ask(at) {
    this.#sentAt = at;
    this.socket.write(this.nextRequest());
  }

  #read(part) {
    const answer = this.#rest === null ? part : Buffer.concat([this.#rest, part]);
    if (isWhole(answer)) {
      this.#rest = null;
      const now = performance.now();
      if (this.to.answered(answer, now - this.#sentAt, now)) this.to.free(this, now);
    } else {
      // What is read next is written over it.
      this.#rest = Buffer.from(answer);
    }
    return true;
  }
}

/** @param {Order} order */
function send({ host, port, requests, ends, count, isOnce, connections, seconds, expected, perSecond }) {
  const bytes = Buffer.from(requests.buffer, requests.byteOffset, requests.byteLength);
  const wanted = Buffer.from(expected);
  const result = { sent: 0, answered: 0, failed: 0, firstFailure: null, times: new Uint32Array(BUCKETS) };
  let [begin, end, connected, open] = [0, Infinity, 0, connections];

  return new Promise((resolve) => {
    const fail = (what) => {
      result.failed += 1;
      result.firstFailure ??= what;
    };
    const finish = () => {
      clearTimeout(late);
      for (const { socket } of all) socket.destroy();
      resolve({ ...result, seconds: (end - begin) / 1000 });
    };
    const leave = () => {
      open -= 1;
      if (open === 0) finish();
    };
    const late = setTimeout(
      () => {
        fail(`no answer on ${open} of ${connections} connections`);
        finish();
      },
      seconds * 1000 + LATE_MS,
    );
    const nextRequest = () => {
      const at = result.sent % count;
      result.sent += 1;
      return bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
    };
    const answered = (answer, ms, now) => {
      if (answer[YES_AT] !== YES || !answer.includes(wanted)) fail(answer.toString());
      if (isOnce && result.sent >= count) end = Math.min(end, now);
      if (now <= end) {
        result.answered += 1;
        result.times[Math.min(BUCKETS - 1, Math.floor(ms / BUCKET_MS))] += 1;
      }
      if (now < end) return true;
      leave();
      return false;
    };
    const start = () => {
      connected += 1;
      if (connected < connections) return;
      begin = performance.now();
      end = begin + seconds * 1000;
      for (const connection of all)
        if (isOnce && result.sent >= count) leave();
        else free(connection, begin);
      if (perSecond !== undefined) askWhatIsDue();
    };
    /** Connections that wait for a request to be due. */
    const idle = [];
    const free = (connection, now) => {
      if (perSecond === undefined) connection.ask(now);
      else idle.push(connection);
    };
    let askedAt = 0;
    const askWhatIsDue = () => {
      const now = performance.now();
      for (;;) {
        const dueAt = begin + (result.sent * 1000) / perSecond;
        if (dueAt > Math.min(now, end) || idle.length === 0) break;
        // What no connection was free for has waited for the program, and anything else for this timer.
        idle.pop().ask(dueAt < askedAt ? dueAt : now);
      }
      askedAt = now;
      if (now < end) setTimeout(askWhatIsDue, 1);
      else while (idle.pop() !== undefined) leave();
    };
    const failed = (what) => {
      fail(what);
      leave();
    };
    const all = Array.from(
      { length: connections },
      () => new Connection({ host, port }, nextRequest, { answered, connected: start, failed, free }),
    );
  });
}

parentPort.on('message', (order) => void send(order).then((result) => parentPort.postMessage(result)));

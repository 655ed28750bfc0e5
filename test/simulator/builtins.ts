import { AsyncResource } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import type { Kernel } from './kernel.js';

const require = createRequire(import.meta.url);

/** A timer of the simulated world, with what Node's own has. */
class SimulatedTimer {
  private cancel: () => void = () => undefined;
  isDone = false;
  private isUnref = false;
  private readonly run: () => void;

  constructor(
    private readonly kernel: Kernel,
    private readonly ms: number,
    private readonly isRepeated: boolean,
    run: () => void,
  ) {
    // As Node's timers, it runs in the context in which it was set.
    this.run = AsyncResource.bind(run);
    this.start();
  }

  private start(): void {
    const everyMs = this.isRepeated ? this.kernel.stretched(this.ms, this.isUnref) : this.ms;
    this.cancel = this.kernel.later(everyMs, '', () => {
      if (this.isRepeated) this.start();
      else this.isDone = true;
      this.run();
    });
  }

  close(): this {
    this.isDone = true;
    this.cancel();
    return this;
  }

  refresh(): this {
    this.cancel();
    if (!this.isDone) this.start();
    return this;
  }

  ref(): this {
    return this;
  }

  /** Nobody waits for such a timer. */
  unref(): this {
    this.isUnref = true;
    return this.isRepeated ? this.refresh() : this;
  }

  hasRef(): boolean {
    return true;
  }
}

type Callback = (...args: readonly unknown[]) => void;

const THREAD_MS = 0.1;

/** Node takes what is not a positive number for one millisecond. */
const asMs = (ms: unknown): number => (typeof ms === 'number' && ms > 1 ? ms : 1);

/**
 * Gives the kernel all that tells the time, sets a timer or draws a random number, of Node's own, before anything else is loaded: whatever the
 * service and its libraries use, they use these.
 */
export function takeOverBuiltins(kernel: Kernel): void {
  takeOverTime(kernel);
  takeOverTimers(kernel);
  takeOverRandom(kernel);
  takeOverThreads(kernel);
  syncBuiltinESMExports();
}

function takeOverTime(kernel: Kernel): void {
  const RealDate = Date;
  const SimulatedDate = function (this: unknown, ...args: readonly unknown[]): unknown {
    if (new.target === undefined) return new RealDate(kernel.now()).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [Math.floor(kernel.now())] : args, new.target);
  };
  Object.setPrototypeOf(SimulatedDate, RealDate);
  SimulatedDate.prototype = RealDate.prototype;
  SimulatedDate.now = () => Math.floor(kernel.now());
  RealDate.prototype.constructor = SimulatedDate;
  globalThis.Date = SimulatedDate as unknown as DateConstructor;
  performance.now = () => kernel.nowMs - kernel.startMs;
  const hrtime = (): [number, number] => {
    const ms = kernel.nowMs - kernel.startMs;
    return [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1e6)];
  };
  process.hrtime = Object.assign(
    (since?: [number, number]): [number, number] => {
      const [seconds, nanoseconds] = hrtime();
      if (since === undefined) return [seconds, nanoseconds];
      const total = (seconds - since[0]) * 1e9 + nanoseconds - since[1];
      return [Math.floor(total / 1e9), total % 1e9];
    },
    { bigint: () => BigInt(Math.floor((kernel.nowMs - kernel.startMs) * 1e6)) },
  );
  // The machine's garbage collection is none of the world's, and would hold whatever observes it, also after the death of its replica.
  const hooks = require('node:perf_hooks') as Record<string, unknown>;
  hooks['PerformanceObserver'] = class {
    observe(): void {}
    disconnect(): void {}
  };
}

function takeOverTimers(kernel: Kernel): void {
  const timers = require('node:timers') as Record<string, unknown>;
  const promised = require('node:timers/promises') as Record<string, unknown>;
  const start =
    (isRepeated: boolean) =>
    (run: Callback, ms?: unknown, ...args: readonly unknown[]): SimulatedTimer =>
      new SimulatedTimer(kernel, asMs(ms), isRepeated, () => run(...args));
  const stop = (timer: unknown): void => {
    if (timer instanceof SimulatedTimer) timer.close();
  };
  const pause = (ms?: number, value?: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { signal } = options;
      const aborted = (): void => {
        timer.close();
        reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }));
      };
      const timer = new SimulatedTimer(kernel, asMs(ms), false, () => {
        signal?.removeEventListener('abort', aborted);
        resolve(value);
      });
      if (signal?.aborted === true) aborted();
      else signal?.addEventListener('abort', aborted, { once: true });
    });
  const setTimeout = Object.assign(start(false), { [promisify.custom]: pause });
  const own = { setTimeout, setInterval: start(true), clearTimeout: stop, clearInterval: stop };
  Object.assign(globalThis, own);
  Object.assign(timers, own);
  promised['setTimeout'] = pause;
}

function takeOverRandom(kernel: Kernel): void {
  const crypto = require('node:crypto') as Record<string, unknown>;
  const fill = <T extends ArrayBufferView | ArrayBuffer>(into: T, offset = 0, size?: number): T => {
    const bytes = ArrayBuffer.isView(into)
      ? new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
      : new Uint8Array(into);
    kernel.current.random.fill(bytes.subarray(offset, size === undefined ? undefined : offset + size));
    return into;
  };
  Math.random = () => kernel.current.random.unit();
  crypto['randomFillSync'] = fill;
  crypto['randomFill'] = (into: ArrayBufferView, done: (error: null, filled: ArrayBufferView) => void) =>
    process.nextTick(done, null, fill(into));
  crypto['randomBytes'] = (size: number, done?: (error: null, bytes: Buffer) => void): unknown => {
    const bytes = fill(Buffer.alloc(size));
    return done === undefined ? bytes : process.nextTick(done, null, bytes);
  };
  crypto['randomInt'] = (low: number, high?: number): number =>
    high === undefined ? kernel.current.random.below(low) : low + kernel.current.random.below(high - low);
  const randomUUID = (): string => {
    const bytes = fill(Buffer.alloc(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
  crypto['randomUUID'] = randomUUID;
  const web = Object.getPrototypeOf(globalThis.crypto) as Record<string, unknown>;
  web['getRandomValues'] = fill;
  web['randomUUID'] = randomUUID;
}

/** Counts work in threads that no hook tells apart from work that is done at once. */
function takeOverThreads(kernel: Kernel): void {
  const subtle = Object.getPrototypeOf(globalThis.crypto.subtle) as Functions;
  for (const name of Object.getOwnPropertyNames(subtle)) {
    const real = subtle[name];
    if (typeof real === 'function' && name !== 'constructor') subtle[name] = countedPromise(kernel, real);
  }
  const crypto = require('node:crypto') as Functions;
  for (const name of ['scrypt', 'sign', 'verify', 'hkdf', 'pbkdf2', 'generateKey', 'generateKeyPair'])
    crypto[name] = countedCallback(kernel, crypto[name] as AnyFunction);
  const argon2 = require('@node-rs/argon2') as Functions;
  for (const name of ['hash', 'verify']) argon2[name] = countedPromise(kernel, argon2[name]);
  const zlib = require('node:zlib') as Functions;
  for (const name of ['gzip', 'gunzip', 'inflateRaw', 'deflateRaw'])
    Object.defineProperty(zlib, name, { value: countedCallback(kernel, zlib[name] as AnyFunction) });
  for (const way of ['Inflate', 'Deflate']) {
    const atOnce = zlib[`${way.toLowerCase()}RawSync`] as (bytes: Buffer) => Buffer;
    const stream = (): Transform => wholeAtOnce(atOnce);
    Object.defineProperty(zlib, `create${way}Raw`, { value: stream });
  }
}

/** A stream that changes all its bytes together. */
const wholeAtOnce = (change: (bytes: Buffer) => Buffer): Transform => {
  const chunks: Buffer[] = [];
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
    flush: (done) => done(null, change(Buffer.concat(chunks))),
  });
};

type AnyFunction = (...args: readonly unknown[]) => unknown;
type Functions = Record<string, unknown>;

/** Work of a thread is a happening of its own, so that pieces of work that run at once always end in the same order. */
function countedPromise(kernel: Kernel, real: unknown): AnyFunction {
  return function counted(this: unknown, ...args) {
    return new Promise((resolve, reject) => {
      const work = (): Promise<unknown> => Promise.resolve(Reflect.apply(real as AnyFunction, this, args));
      kernel.later(THREAD_MS, '', () => void kernel.counting(work).then(resolve, reject));
    });
  };
}

function countedCallback(kernel: Kernel, real: AnyFunction): AnyFunction {
  const counted: AnyFunction = (...args) => {
    const done = args.at(-1);
    if (typeof done !== 'function') return real(...args);
    kernel.later(THREAD_MS, '', () => {
      kernel.begin();
      real(...args.slice(0, -1), (...results: readonly unknown[]) => {
        kernel.end();
        (done as AnyFunction)(...results);
      });
    });
    return undefined;
  };
  return Object.assign(counted, { [promisify.custom]: countedPromise(kernel, promisify(real)) });
}

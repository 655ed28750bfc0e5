import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Random } from './random.js';

/** Who acts: a replica of the service, a person, a device, a store. */
export interface Party {
  readonly name: string;
  /** By how much its clock is ahead of the world's. */
  skewMs: number;
  /** Nothing more happens to a dead party. */
  isDead: boolean;
  readonly random: Random;
}

/** Something that is to happen at a time. */
interface Happening {
  readonly at: number;
  readonly order: number;
  readonly party: Party;
  readonly what: string;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Work of Node's own threads, after whose end the party goes on. */
const THREAD_WORK = /^(FSREQCALLBACK|FSREQPROMISE|FILEHANDLECLOSEREQ|Immediate)$/;
const TRACE_LINES = 400;
const SHORT_INTERVAL_MS = 60_000;
/** By how much intervals of a minute and more are stretched. */
const STRETCH = 288;

const realSetImmediate = setImmediate;
const realSetTimeout = setTimeout;
const PATIENCE = 1000;

/** Nothing is going to happen any more, and the run is not over. */
export class Standstill extends Error {}

/**
 * The simulated world's time and order: a queue of happenings, ordered by time, of which each runs until everything that it set going waits
 * for another happening. A seed determines them all, so that a run can be repeated.
 */
export class Kernel {
  readonly random: Random;
  readonly world: Party;
  nowMs: number;
  step = 0;
  /** The last lines of the trace. */
  readonly trace: string[] = [];
  onLine?: (line: string) => void;
  private readonly context = new AsyncLocalStorage<Party>();
  private readonly digest = createHash('sha256');
  private readonly queue: Happening[] = [];
  private order = 0;
  private readonly outstanding = new Set<number>();
  private isOwn = false;
  /** Asynchronous work that the hooks do not see. */
  private counted = 0;
  private onQuiet: () => void = () => undefined;

  constructor(
    readonly seed: string,
    readonly startMs: number,
  ) {
    this.random = new Random(`${seed}/order`);
    this.nowMs = startMs;
    this.world = this.party('world');
    createHook({
      init: (id, type) => {
        if (!this.isOwn && THREAD_WORK.test(type)) this.outstanding.add(id);
      },
      after: (id) => {
        if (this.outstanding.delete(id)) this.wake();
      },
    }).enable();
  }

  party(name: string, skewMs = 0): Party {
    return { name, skewMs, isDead: false, random: new Random(`${this.seed}/${name}`) };
  }

  get current(): Party {
    return this.context.getStore() ?? this.world;
  }

  as<T>(party: Party, work: () => T): T {
    return this.context.run(party, work);
  }

  /** The time by the clock of who asks. */
  now(): number {
    return this.nowMs + this.current.skewMs;
  }

  /** Makes something happen later, in the context of the party. @returns how to cancel it */
  later(ms: number, what: string, run: () => void, party = this.current): () => void {
    const happening: Happening = {
      at: this.nowMs + Math.max(0, ms),
      order: (this.order += 1),
      party,
      what,
      run,
      isCancelled: false,
    };
    if (!party.isDead) this.push(happening);
    return () => {
      happening.isCancelled = true;
    };
  }

  /** A party dies: its timers, its statements and its calls are dropped, and with them all that only they hold. */
  die(party: Party): void {
    party.isDead = true;
    const left = this.queue.filter((happening) => !happening.party.isDead);
    this.queue.length = 0;
    for (const happening of left) this.push(happening);
  }

  /**
   * How long a repeated timer waits: an interval only promises that it is not too early, and years of housekeeping every five minutes would
   * leave no time for anything else.
   */
  stretched(ms: number, isUnref: boolean): number {
    return ms < SHORT_INTERVAL_MS && !isUnref ? ms : Math.max(ms, SHORT_INTERVAL_MS) * STRETCH;
  }

  /** Waits a time. */
  pause(ms: number, what = 'pause'): Promise<void> {
    return new Promise((resolve) => void this.later(ms, what, resolve));
  }

  /** Writes a line of the trace. */
  say(what: string, party = this.current): void {
    const time = new Date(this.nowMs).toISOString();
    const line = `${this.step} ${time} ${party.name}: ${what}`;
    this.digest.update(`${line}\n`);
    this.trace.push(line);
    if (this.trace.length > 2 * TRACE_LINES) this.trace.splice(0, TRACE_LINES);
    this.onLine?.(line);
  }

  /** The digest of the whole trace up to here. */
  get traceDigest(): string {
    return this.digest.copy().digest('hex');
  }

  /** Counts asynchronous work that no hook sees. */
  async counting<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  begin(): void {
    this.counted += 1;
  }

  end(): void {
    this.counted -= 1;
    this.wake();
  }

  /** Runs the world until `main` has ended. @throws Standstill */
  async run<T>(main: () => Promise<T>): Promise<T> {
    const ended = { isOver: false };
    const result = this.as(this.world, main).finally(() => {
      ended.isOver = true;
    });
    // Reported below, when the loop has ended.
    result.catch(() => undefined);
    await this.quiet();
    while (!ended.isOver) {
      const next = this.pop() ?? (await this.patiently());
      if (next === undefined) throw new Standstill('Nothing is going to happen any more');
      if (next.isCancelled) continue;
      this.nowMs = Math.max(this.nowMs, next.at);
      this.step += 1;
      if (next.what !== '') this.say(next.what, next.party);
      this.as(next.party, next.run);
      await this.quiet();
    }
    return result;
  }

  /** Where nothing is to happen, a module may still be loading, in a way that nothing tells. */
  private async patiently(): Promise<Happening | undefined> {
    for (let left = PATIENCE; left > 0; left -= 1) {
      await new Promise((resolve) => void realSetTimeout(resolve, 5));
      await this.quiet();
      const next = this.pop();
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Waits until everything waits for the next happening. */
  private async quiet(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => {
        this.isOwn = true;
        realSetImmediate(resolve);
        this.isOwn = false;
      });
      if (!this.isBusy) return;
      await new Promise<void>((resolve) => {
        this.onQuiet = resolve;
      });
    }
  }

  private get isBusy(): boolean {
    return this.outstanding.size > 0 || this.counted > 0;
  }

  private wake(): void {
    if (!this.isBusy) this.onQuiet();
  }

  private push(happening: Happening): void {
    const { queue } = this;
    let at = queue.length;
    queue.push(happening);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = queue[above];
      if (parent === undefined || !isBefore(happening, parent)) break;
      queue[at] = parent;
      at = above;
    }
    queue[at] = happening;
  }

  private pop(): Happening | undefined {
    const { queue } = this;
    const [first] = queue;
    const last = queue.pop();
    if (first === undefined || last === undefined || queue.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = queue[below];
      if (child === undefined) break;
      const other = queue[below + 1];
      if (other !== undefined && isBefore(other, child)) {
        below += 1;
        child = other;
      }
      if (!isBefore(child, last)) break;
      queue[at] = child;
      at = below;
    }
    queue[at] = last;
    return first;
  }
}

const isBefore = (a: Happening, b: Happening): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

import type { Answer } from '../support/api.js';
import { expectStatus } from '../support/given.js';
import type { Kernel, Party } from './kernel.js';
import { LawBroken, type Judgements, type Law } from './laws.js';

const MINUTE = 60_000;
/** Nobody waits longer for an answer, with all the repetitions of a patient person. */
const PATIENCE_MS = 3 * 24 * 60 * MINUTE;

const EXPECTED = 'every answer is one that was expected';
/** What a service answers to anything whose database, disk or other replica fails it. */
const WEATHER = [500, 503];
/** How a connection ends that the weather breaks. */
const BROKEN = ['ECONNREFUSED', 'ECONNRESET'];

/** What somebody began cannot go on, because of what others did meanwhile. */
export class Hindered extends Error {}

/** The status of an answer that was not expected; null when an error is about none. */
export function statusIn(error: unknown): number | null {
  const [, status] = /^Expected .*, got (\d{3}): /.exec(error instanceof Error ? error.message : '') ?? [];
  return status === undefined ? null : Number(status);
}

/** Like `expectStatus`, where several are expected. */
export function expectOneOf(answer: Answer, ...[first = 200, ...others]: readonly number[]): Answer {
  return others.includes(answer.status) ? answer : expectStatus(answer, first);
}

/** Whether the network failed. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return BROKEN.includes(String(code)) || isBroken(cause);
}

/** Those who act in the simulated world: each is a party of its own, and all end together. */
export class Cast {
  private readonly acting = new Set<Promise<void>>();
  private fail: (error: unknown) => void = () => undefined;
  /** Rejects as soon as a law is broken, so that the trace ends there. */
  private readonly failed = new Promise<never>((_resolve, reject) => {
    this.fail = reject;
  });
  private isOver = false;
  private end: () => void = () => undefined;
  private readonly closed = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  constructor(
    readonly kernel: Kernel,
    private readonly judgements: Judgements,
  ) {
    // Reported by whoever waits for it.
    this.failed.catch(() => undefined);
  }

  /** Someone who does something again and again, after random pauses, until the end. */
  acts(name: string, meanMs: number, act: (party: Party) => Promise<void>): void {
    const party = this.kernel.party(name);
    const life = async (): Promise<void> => {
      for (;;) {
        await Promise.race([this.closed, this.kernel.pause(party.random.exponential(meanMs), `${name} comes`)]);
        if (this.isOver) return;
        await act(party);
      }
    };
    void this.begins(party, life);
  }

  /** Someone does something once. @returns when it is done */
  begins(party: Party, work: () => Promise<void>): Promise<void> {
    const done = this.kernel.as(party, work).catch(this.fail);
    this.acting.add(done);
    return done.finally(() => this.acting.delete(done));
  }

  /**
   * Judges a law. @param isReached whether what the law is about has happened: else the judgement does not count
   * @throws LawBroken unless it is kept
   */
  judge(law: Law, isKept: boolean, how: string, isReached = true): void {
    if (isReached || !isKept) this.judgements.judge(law, isKept, how);
  }

  /**
   * Tries until it works, as people and processors do.
   * @param may the statuses that what others do meanwhile can give, besides those of the weather
   * @throws LawBroken when it takes too long, or the answer is another one
   */
  async patiently<T>(what: string, work: () => Promise<T>, may: readonly number[] = []): Promise<T> {
    const { kernel } = this;
    const began = kernel.nowMs;
    for (let tries = 1; ; tries += 1) {
      try {
        const done = await work();
        this.judge('everybody gets an answer', true, '');
        this.judge(EXPECTED, true, '');
        return done;
      } catch (error) {
        const why = this.excuse(what, error, may);
        if (kernel.nowMs - began > PATIENCE_MS)
          throw new LawBroken('everybody gets an answer', `${what} was not done after ${tries} tries: ${why}`, {
            cause: error,
          });
      }
      await kernel.pause(kernel.current.random.exponential(Math.min(tries, 60) * MINUTE), `${what} again`);
    }
  }

  /**
   * Tries once, as someone does who does not ask again.
   * @param may the statuses that what others do meanwhile can give, besides those of the weather
   * @returns null when it fails
   * @throws LawBroken when the answer is another one
   */
  async once<T>(what: string, work: () => Promise<T>, may: readonly number[] = []): Promise<T | null> {
    try {
      const done = await work();
      this.judge(EXPECTED, true, '');
      return done;
    } catch (error) {
      this.excuse(what, error, may);
      return null;
    }
  }

  /** Says what the weather, or what others did, kept somebody from. @throws what neither explains */
  private excuse(what: string, error: unknown, may: readonly number[]): string {
    if (!(error instanceof Error) || error instanceof LawBroken) throw error;
    const status = statusIn(error);
    const isWeather = error instanceof Hindered || isBroken(error);
    const isExpected = isWeather || (status !== null && [...WEATHER, ...may].includes(status));
    this.judge(EXPECTED, isExpected, `${what}: ${error.stack ?? error.message}`);
    this.kernel.say(`${what} failed: ${error.message.slice(0, 200)}`);
    return error.message;
  }

  /** Waits for the story to end, or for the first law that somebody breaks meanwhile. */
  during<T>(story: Promise<T>): Promise<T> {
    return Promise.race([story, this.failed]);
  }

  /** Nobody begins anything new. */
  close(): void {
    this.isOver = true;
    this.end();
  }

  /** Waits until everybody has gone. */
  async gone(): Promise<void> {
    await Promise.all(this.acting);
  }
}

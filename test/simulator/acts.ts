import type { Kernel, Party } from './kernel.js';

const MINUTE = 60_000;
/** Nobody waits longer for an answer, with all the repetitions of a patient person. */
const PATIENCE_MS = 3 * 24 * 60 * MINUTE;

/** A law was broken. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
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

  constructor(readonly kernel: Kernel) {
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

  /** Tries until it works, as people and processors do. @throws LawBroken when it takes too long */
  async patiently<T>(what: string, work: () => Promise<T>): Promise<T> {
    const { kernel } = this;
    const began = kernel.nowMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof LawBroken) throw error;
        const why = error instanceof Error ? error.message : String(error);
        kernel.say(`${what} failed: ${why.slice(0, 200)}`);
        if (kernel.nowMs - began > PATIENCE_MS)
          throw new LawBroken(`${what} was not done after ${tries} tries: ${why}`, { cause: error });
      }
      await kernel.pause(kernel.current.random.exponential(Math.min(tries, 60) * MINUTE), `${what} again`);
    }
  }

  /** Tries once, as someone does who does not ask again. @returns null when it fails */
  async once<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LawBroken) throw error;
      this.kernel.say(`${what} failed: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`);
      return null;
    }
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

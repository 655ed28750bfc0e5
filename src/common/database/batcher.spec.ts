import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Overloaded } from '../problems/index.js';
import { Batcher, type BatcherOptions } from './batcher.js';

const OPTIONS: BatcherOptions = { maxBatchSize: 32, startAt: 8, maxInFlight: 2, maxWaiting: 100 };
const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, at) => from + at);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that doubles numbers when the test lets it, and remembers its batches. */
class Doubling {
  readonly batches: (readonly number[])[] = [];
  private readonly gates: (() => void)[] = [];
  isOpen = false;
  most = 0;

  readonly work = async (items: readonly number[]): Promise<readonly number[]> => {
    this.batches.push(items);
    this.most = Math.max(this.most, this.gates.length + 1);
    if (!this.isOpen) await new Promise<void>((resolve) => this.gates.push(resolve));
    return items.map((item) => item * 2);
  };

  /** Lets the oldest batch end, and everybody hear of it. */
  async end(): Promise<void> {
    this.gates.shift()?.();
    await turn();
    await turn();
  }
}

const made = (options: Partial<BatcherOptions> = {}) => {
  const doubling = new Doubling();
  return { doubling, batcher: new Batcher<number, number>(doubling.work, { ...OPTIONS, ...options }) };
};

describe('a batcher', () => {
  it('processes a single item within its turn of the event loop, together with others of that turn', async () => {
    const { doubling, batcher } = made();
    const lone = batcher.add(1);
    expect(doubling.batches).toEqual([]);
    const second = batcher.add(2);
    await turn();
    expect(doubling.batches).toEqual([[1, 2]]);
    await doubling.end();
    expect(await Promise.all([lone, second])).toEqual([2, 4]);
  });

  it('starts at once when enough items have arrived, and collects the rest while the maximum is in flight', async () => {
    const { doubling, batcher } = made();
    const all = numbers(30).map((item) => batcher.add(item));
    expect(doubling.batches.map((batch) => batch.length)).toEqual([8, 8]);
    await turn();
    expect(doubling.batches).toHaveLength(2);
    await doubling.end();
    expect(doubling.batches.map((batch) => batch.length)).toEqual([8, 8, 8]);
    doubling.isOpen = true;
    while (doubling.batches.flat().length < 30) await doubling.end();
    await doubling.end();
    await doubling.end();
    expect(await Promise.all(all)).toEqual(numbers(30).map((item) => item * 2));
    expect(doubling.batches.flat()).toEqual(numbers(30));
  });

  it('makes larger batches of a longer queue, up to the maximum', async () => {
    const { doubling, batcher } = made();
    const all = numbers(100).map((item) => batcher.add(item));
    doubling.isOpen = true;
    await doubling.end();
    await doubling.end();
    await Promise.all(all);
    const sizes = doubling.batches.map((batch) => batch.length);
    expect(Math.max(...sizes)).toBe(32);
    expect(sizes.length).toBeLessThan(12);
  });

  it('refuses items while its queue is full', async () => {
    const { doubling, batcher } = made({ maxWaiting: 4 });
    const held: Promise<number>[] = [];
    for (const item of [1, 2]) {
      held.push(batcher.add(item));
      await turn();
    }
    held.push(...numbers(4, 3).map((item) => batcher.add(item)));
    await expect(batcher.add(9)).rejects.toBeInstanceOf(Overloaded);
    await doubling.end();
    held.push(batcher.add(10));
    doubling.isOpen = true;
    await doubling.end();
    await doubling.end();
    expect(await Promise.all(held)).toEqual([2, 4, 6, 8, 10, 12, 20]);
  });

  it('fails each item with its own failure', async () => {
    const batcher = new Batcher<number, number>(
      async (items) => items.map((item) => (item === 3 ? new Error('three is bad') : item)),
      OPTIONS,
    );
    const outcomes = await Promise.allSettled(numbers(6).map((item) => batcher.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(outcomes[3]).toMatchObject({ reason: new Error('three is bad') });
  });

  it('tries each item alone when one of them may have failed the batch', async () => {
    const batches: (readonly number[])[] = [];
    const batcher = new Batcher<number, number>(async (items) => {
      batches.push(items);
      if (items.includes(2)) throw new Error('poisoned');
      return items;
    }, OPTIONS);
    const outcomes = await Promise.allSettled(numbers(4).map((item) => batcher.add(item)));
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual([
      0,
      1,
      'failed',
      3,
    ]);
    expect(batches).toEqual([[0, 1, 2, 3], [0], [1], [2], [3]]);
  });

  it('does not try items alone when the failure concerns all', async () => {
    let tries = 0;
    const batcher = new Batcher<number, number>(
      async () => {
        tries += 1;
        throw new Error('the database is gone');
      },
      { ...OPTIONS, isFaultOfItem: () => false },
    );
    const outcomes = await Promise.allSettled(numbers(5).map((item) => batcher.add(item)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(tries).toBe(1);
  });

  it('continues after failures, and after work that returns too few results', async () => {
    let isBroken = true;
    const batcher = new Batcher<number, number>(async (items) => (isBroken ? [] : items), OPTIONS);
    await expect(batcher.add(1)).rejects.toThrow('The work answered 0 of 1 items');
    isBroken = false;
    expect(await batcher.add(2)).toBe(2);
  });

  it('is drained when everything that it took has its answer, and at once when there is nothing', async () => {
    const { doubling, batcher } = made();
    await batcher.drain();
    const all = numbers(40).map((item) => batcher.add(item));
    let isDrained = false;
    const draining = batcher.drain().then(() => {
      isDrained = true;
    });
    await doubling.end();
    expect(isDrained).toBe(false);
    doubling.isOpen = true;
    await doubling.end();
    await doubling.end();
    await draining;
    expect(await Promise.all(all)).toHaveLength(40);
  });

  it('answers every item once, whatever comes when and whatever fails', async () => {
    const arrivals = fc.array(fc.record({ count: fc.integer({ min: 1, max: 20 }), pause: fc.boolean() }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.uniqueArray(fc.nat(100), { maxLength: 5 }), async (waves, poisoned) => {
        let [inFlight, most] = [0, 0];
        const batcher = new Batcher<number, number>(
          async (items) => {
            inFlight += 1;
            most = Math.max(most, inFlight);
            await turn();
            inFlight -= 1;
            if (items.some((item) => poisoned.includes(item))) throw new Error('poisoned');
            return items.map((item) => item * 2);
          },
          { ...OPTIONS, maxWaiting: 1000 },
        );
        const answers: Promise<number>[] = [];
        for (const { count, pause } of waves) {
          for (let one = 0; one < count; one += 1)
            answers.push(
              batcher.add(answers.length).then(
                (answer) => answer,
                () => -1,
              ),
            );
          if (pause) await turn();
        }
        const answered = await Promise.all(answers);
        await batcher.drain();
        expect(most).toBeLessThanOrEqual(2);
        expect(answered).toEqual(numbers(answers.length).map((item) => (poisoned.includes(item) ? -1 : item * 2)));
      }),
      { numRuns: 50 },
    );
  });
});

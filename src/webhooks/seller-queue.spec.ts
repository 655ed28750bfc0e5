import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Overloaded } from '../common/problems/index.js';
import { SellerQueue } from './seller-queue.js';
import type { Seller } from './seller.js';

const seller = (tenantId: string): Seller => ({ tenantId, processor: 'stripe' });

describe('the work of a seller', () => {
  it('runs one piece at a time in order of arrival, whatever fails, and beside the work of others', async () => {
    const pieces = fc.array(fc.record({ of: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(3), fails: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const queue = new SellerQueue();
        const busy = new Set<string>();
        const ended: number[] = [];
        const results = await Promise.allSettled(
          all.map(({ of, turns, fails }, at) =>
            queue.run(seller(of), async () => {
              expect(busy.has(of)).toBe(false);
              busy.add(of);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              busy.delete(of);
              ended.push(at);
              if (fails) throw new Error(String(at));
              return at;
            }),
          ),
        );
        expect(results.map(({ status }) => status === 'rejected')).toEqual(all.map(({ fails }) => fails));
        for (const one of ['a', 'b', 'c']) {
          const own = ended.filter((at) => all[at]?.of === one);
          expect(own).toEqual(own.toSorted((left, right) => left - right));
        }
      }),
    );
  });

  it('is done together with what waits behind it for the same, in order, and alone where that fails', async () => {
    const items = fc.array(fc.record({ of: fc.constantFrom('a', 'b'), isBad: fc.boolean(), isAlone: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(items, async (all) => {
        const queue = new SellerQueue();
        const sizes: number[] = [];
        const done: number[] = [];
        const work = async (these: readonly number[]): Promise<readonly number[]> => {
          sizes.push(these.length);
          await Promise.resolve();
          if (these.some((at) => all[at]?.isBad === true)) throw new Error('bad');
          done.push(...these);
          return these;
        };
        const results = await Promise.allSettled(
          all.map(({ of, isAlone }, at) =>
            isAlone
              ? queue.run(seller(of), async () => (await work([at]))[0])
              : queue.runTogether(seller(of), at, work),
          ),
        );
        expect(results.map((one) => (one.status === 'fulfilled' ? one.value : 'bad'))).toEqual(
          all.map(({ isBad }, at) => (isBad ? 'bad' : at)),
        );
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(50);
        for (const one of ['a', 'b']) {
          const own = done.filter((at) => all[at]?.of === one);
          expect(own).toEqual(own.toSorted((left, right) => left - right));
        }
      }),
    );
  });

  it('is done at most fifty at a time', async () => {
    const queue = new SellerQueue();
    const sizes: number[] = [];
    const work = (these: readonly number[]): Promise<readonly number[]> => {
      sizes.push(these.length);
      return Promise.resolve(these);
    };
    await Promise.all(Array.from({ length: 60 }, (_, at) => queue.runTogether(seller('a'), at, work)));
    expect(sizes).toEqual([1, 50, 9]);
  });

  it('is refused where too much waits, and taken again once that has ended', async () => {
    const queue = new SellerQueue();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const waiting = Array.from({ length: 5_000 }, () => queue.run(seller('a'), () => gate));
    await expect(queue.run(seller('a'), () => gate)).rejects.toThrow(Overloaded);
    await expect(queue.run(seller('b'), () => Promise.resolve('b'))).resolves.toBe('b');
    release();
    await Promise.all(waiting);
    await expect(queue.run(seller('a'), () => Promise.resolve('a'))).resolves.toBe('a');
  });
});

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { EMPTY_LEDGER, recordFact } from '../../src/webhooks/ledger/payment-ledger.js';
import { figuresOf } from '../../src/webhooks/ledger/figures.js';
import { PROCESSOR_IDS } from '../support/app.js';
import { factsOf } from '../support/interpreted.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { Notification, Sale } from '../support/purchases.js';

const SALE: Sale = { tag: 'a', email: 'ada@buyer.example', at: new Date('2027-01-01T00:00:00Z') };
const PRICE = 900;

/** What the ledger says of some notifications, in the order in which they come. */
function told(id: (typeof PROCESSOR_IDS)[number], notifications: readonly Notification[]) {
  const { purchases } = factsOf(id, notifications).reduce(recordFact, EMPTY_LEDGER);
  const moves = purchases.flatMap(({ paid }) => figuresOf(paid).moves);
  const of = (kind: string) => moves.filter((move) => move.kind === kind);
  const sum = (kind: string): number => of(kind).reduce((all, { value }) => all + value, 0);
  return {
    sales: [of('sale').length, sum('sale')],
    renewals: [of('renewal').length, sum('renewal')],
    refunds: [of('refund').length, sum('refund')],
    currencies: [...new Set(moves.map(({ currency }) => currency))],
  };
}

describe.each(PROCESSOR_IDS)('the money of sales at %s', (id) => {
  const { paidMonth, refundedMonth, soldOnce } = FULL_SIZE[id];
  const times = (number: number): readonly number[] => [number, number * PRICE];

  it('adds up to what the events say, however they are shuffled, doubled and delayed', () => {
    const life = fc.record({
      months: fc.integer({ min: 1, max: 4 }),
      refunded: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(life, { minLength: 1, maxLength: 3 }), fc.nat(2), fc.gen(), (lives, once, gen) => {
        const saleOf = (tag: string): Sale => ({ ...SALE, tag, email: `${tag}@buyer.example` });
        const events = [
          ...lives.flatMap(({ months, refunded }, n) => {
            const sale = saleOf(`s${n}`);
            const paid = Array.from({ length: months }, (_, month) => paidMonth(sale, month + 1)).flat();
            const back = refunded.filter((month) => month <= months);
            return [...paid, ...back.flatMap((month) => refundedMonth(sale, month, month * 30 - 20))];
          }),
          ...Array.from({ length: once }, (_, n) => soldOnce(saleOf(`o${n}`))).flat(),
        ];
        const again = gen(() => fc.subarray(events));
        const all = [...events, ...again];
        const expected = {
          sales: times(lives.length + once),
          renewals: times(lives.reduce((sum, { months }) => sum + months - 1, 0)),
          refunds: times(
            lives.reduce((sum, { months, refunded }) => sum + refunded.filter((month) => month <= months).length, 0),
          ),
          currencies: ['EUR'],
        };
        expect(
          told(
            id,
            gen(() => fc.shuffledSubarray(all, { minLength: all.length })),
          ),
        ).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});

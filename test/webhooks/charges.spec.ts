import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Money, PaymentFact, TakenBack } from '../../src/payments/index.js';
import { purchaseDetails } from '../../src/payments/payload.js';
import { chargesIn, joinCharges, movesOf, type Charge, type MoneyMove } from '../../src/webhooks/ledger/charges.js';
import type { PurchaseFact } from '../../src/webhooks/ledger/paid-periods.js';

const on = (day: number): Date => new Date(Date.UTC(2027, 0, 1 + day));
const eur = (value: number): Money => ({ value, currency: 'EUR' });
type Kind = 'purchased' | 'renewed' | 'sold_once' | 'refunded' | 'linked' | 'past_due';

const told = (day: number, kind: Kind, more: Partial<PurchaseFact> = {}): PurchaseFact => ({
  ...purchaseDetails({ at: on(day), refs: ['subscription:1'], paymentRefs: ['invoice:1'] }),
  ...more,
  kind,
});
const paid = (day: number, value: number): PurchaseFact => told(day, 'purchased', { money: eur(value) });
const back = (day: number, value: number, more: Partial<TakenBack> = {}): PurchaseFact =>
  told(day, 'linked', { takenBack: { by: 'refund', id: null, money: eur(value), isGiven: true, ...more } });

const chargesOf = (facts: readonly PaymentFact[]): readonly Charge[] =>
  facts.reduce<readonly Charge[]>(
    (charges, fact) => (fact.kind === 'customer_seen' ? charges : joinCharges(charges, chargesIn(fact))),
    [],
  );
const shown = (facts: readonly PaymentFact[]): readonly string[] =>
  movesOf(chargesOf(facts)).map(
    ({ kind, at, value, currency }) =>
      `${kind} ${value} ${currency} on ${(Date.parse(at) - on(0).getTime()) / 86_400_000}`,
  );

describe('the movements of money', () => {
  it.each<[string, readonly PurchaseFact[], readonly string[]]>([
    ['a sale', [paid(0, 900)], ['sale 900 EUR on 0']],
    ['what is sold once to a subscriber', [told(3, 'sold_once', { money: eur(5) })], ['sale 5 EUR on 3']],
    ['a renewal', [told(30, 'renewed', { money: eur(900) })], ['renewal 900 EUR on 30']],
    [
      'payments of which no event says whether they began the subscription',
      [
        told(30, 'linked', { paymentRefs: ['payment:2'], paymentMadeAt: on(30), money: eur(700) }),
        told(31, 'linked', { paymentRefs: ['payment:1'], paymentMadeAt: on(0), money: eur(900) }),
      ],
      ['sale 900 EUR on 0', 'renewal 700 EUR on 30'],
    ],
    ['a sale that a later event repeats', [paid(0, 900), paid(1, 900)], ['sale 900 EUR on 0']],
    ['a payment that failed', [told(0, 'past_due', { money: eur(900) })], []],
    ['a payment without an id', [told(0, 'purchased', { money: eur(900), paymentRefs: [] })], []],
    ['a refund of all', [paid(0, 900), back(5, 900)], ['sale 900 EUR on 0', 'refund 900 EUR on 5']],
    [
      'refunds of parts, each reported with those before it',
      [back(5, 300), back(6, 500), paid(0, 900)],
      ['sale 900 EUR on 0', 'refund 300 EUR on 5', 'refund 200 EUR on 6'],
    ],
    [
      'refunds of parts, each reported alone',
      [paid(0, 900), back(5, 300, { id: 'r1' }), back(6, 200, { id: 'r2' }), back(7, 200, { id: 'r2' })],
      ['sale 900 EUR on 0', 'refund 300 EUR on 5', 'refund 200 EUR on 6'],
    ],
    [
      'a refund that failed',
      [back(5, 900), back(8, 900, { id: 'r1', isGiven: false }), back(9, 900, { id: 'r1', isGiven: false })],
      ['refund 900 EUR on 5', 'refund -900 EUR on 8'],
    ],
    [
      'a refund that failed, and another one after it',
      [back(5, 900), back(8, 900, { id: 'r1', isGiven: false }), back(9, 900)],
      ['refund 900 EUR on 5'],
    ],
    ['the failure of an unknown refund', [back(8, 900, { id: 'r1', isGiven: false })], []],
    [
      'a dispute that was won',
      [back(5, 900, { by: 'dispute', id: 'd1' }), back(9, 800, { by: 'dispute', id: 'd1', isGiven: false })],
      ['dispute 900 EUR on 5', 'dispute -900 EUR on 9'],
    ],
    [
      'a dispute that was lost',
      [back(5, 900, { by: 'dispute', id: 'd1' }), back(9, 900, { by: 'dispute', id: 'd1' })],
      ['dispute 900 EUR on 5'],
    ],
  ])('of %s', (_, facts, expected) => {
    expect(shown(facts)).toEqual(expected);
    expect(shown(facts.toReversed())).toEqual(expected);
    expect(shown([...facts, ...facts])).toEqual(expected);
    for (const { refs } of chargesOf(facts)) expect(refs).not.toEqual([]);
  });

  it('count a payment once under all its ids, also when the event that joins them comes last', () => {
    const checkout = told(0, 'purchased', { money: eur(900), paymentRefs: ['payment:1'] });
    const link = told(1, 'linked', { paymentRefs: ['invoice:1', 'payment:1'] });
    expect(shown([paid(0, 900), checkout, link])).toEqual(['sale 900 EUR on 0']);
  });

  it('keep currencies apart', () => {
    const moves = movesOf(
      chargesOf([
        paid(0, 900),
        told(1, 'sold_once', { paymentRefs: ['invoice:2'], money: { value: 7, currency: 'USD' } }),
      ]),
    );
    expect(moves.map(({ value, currency }: MoneyMove) => `${value} ${currency}`)).toEqual(['900 EUR', '7 USD']);
  });

  it('are the same in any order and with repetitions, and add up to what was paid less what went back', () => {
    const payment = fc.record({
      sum: fc.integer({ min: 0, max: 100_000 }),
      parts: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 4 }),
      isDisputed: fc.boolean(),
      isWon: fc.boolean(),
      inTotals: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(payment, { minLength: 1, maxLength: 5 }), fc.gen(), (payments, gen) => {
        let expected = 0;
        const facts = payments.flatMap(({ sum, parts, isDisputed, isWon, inTotals }, n) => {
          const paymentRefs = [`invoice:${n}`];
          const by = 'dispute' as const;
          expected += sum - parts.reduce((all, part) => all + part, 0) - (isDisputed && !isWon ? sum : 0);
          const refunds = parts.map((part, at) =>
            inTotals
              ? back(
                  10 + at,
                  parts.slice(0, at + 1).reduce((all, one) => all + one, 0),
                )
              : back(10 + at, part, { id: `r${at}` }),
          );
          const dispute = isDisputed
            ? [back(20, sum, { by, id: 'd' }), back(30, sum, { by, id: 'd', isGiven: !isWon })]
            : [];
          return [paid(n, sum), ...refunds, ...dispute].map((fact) => ({ ...fact, paymentRefs }));
        });
        const again = gen(() => fc.subarray(facts));
        const shuffled = gen(() =>
          fc.shuffledSubarray([...facts, ...again], { minLength: facts.length + again.length }),
        );
        const sum = (moves: readonly MoneyMove[]): number =>
          moves.reduce((all, { kind, value }) => all + (kind === 'sale' ? value : -value), 0);
        expect(sum(movesOf(chargesOf(shuffled)))).toBe(expected);
        expect(chargesOf(shuffled)).toEqual(chargesOf(facts));
      }),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpClient } from '../../src/common/net/index.js';
import { PROCESSOR_IDS, type PaymentFact, type ProcessorId } from '../../src/payments/index.js';
import { LemonSqueezyProcessor } from '../../src/payments/lemonsqueezy/lemonsqueezy.processor.js';
import { PaddleProcessor } from '../../src/payments/paddle/paddle.processor.js';
import { PolarProcessor } from '../../src/payments/polar/polar.processor.js';
import { Processors } from '../../src/payments/processors.js';
import { StripeProcessor } from '../../src/payments/stripe/stripe.processor.js';
import { entitlementOf, productsOf } from '../../src/webhooks/apply-payment.js';
import { emailFor, EMPTY_BOOK, enterFact, type PaymentBook } from '../../src/webhooks/payment-book.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';

const line = { http: new HttpClient({ allowedHosts: [] }), clock: { now: () => new Date() }, apiUrl: '' };
const processors = new Processors([
  new StripeProcessor(line),
  new PaddleProcessor(line),
  new LemonSqueezyProcessor(line),
  new PolarProcessor(line),
]);
const SALE: Sale = { tag: 'a', email: 'ada@buyer.example', at: new Date('2027-01-01T00:00:00Z') };
const day = (number: number): Date => new Date(SALE.at.getTime() + number * 86_400_000);
const GRACE_DAYS = 7;

const factsOf = (id: ProcessorId, notifications: readonly Notification[]): PaymentFact[] =>
  notifications.flatMap((payload) => {
    const processor = processors.for(id);
    return [...processor.interpret(processor.read(payload, { headers: {}, body: Buffer.from('') }, new Date(0)))];
  });
const told = (facts: readonly PaymentFact[]): PaymentBook => facts.reduce(enterFact, EMPTY_BOOK);
/** The licenses of a book, as a customer would see them. */
const licensesIn = (book: PaymentBook) =>
  book.purchases
    .map((purchase) => ({
      ...entitlementOf(purchase.paid, GRACE_DAYS),
      products: productsOf(purchase.paid),
      email: emailFor(book, purchase),
    }))
    .filter(({ isBought }) => isBought);
/** The facts in some order, each at least once, some more often. */
const shuffled = (facts: readonly PaymentFact[]) =>
  fc.array(fc.nat(facts.length - 1), { maxLength: 6 }).chain((again) => {
    const all = [...facts, ...again.map((at) => facts[at] as PaymentFact)];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

describe.each(PROCESSOR_IDS)('a life at %s', (id) => {
  const life = factsOf(id, subscriptionLife(id, SALE));
  const refund = factsOf(id, fullRefund(id, SALE));

  it('told in order is one license to the end of its third month', () => {
    expect(licensesIn(told(life))).toMatchObject([
      { revokedFor: null, suspendedFor: [], expiresAt: day(90), email: SALE.email },
    ]);
  });

  it('told in any order, and with repetitions, ends in the same license', () => {
    const expected = licensesIn(told(life));
    fc.assert(
      fc.property(shuffled(life), (facts) => {
        expect(licensesIn(told(facts))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('that ends in a refund is one revoked license, wherever the refund comes', () => {
    const whole = [...life, ...refund];
    const expected = licensesIn(told(whole));
    expect(expected).toMatchObject([{ revokedFor: 'refund' }]);
    expect(licensesIn(told([...refund, ...life]))).toEqual(expected);
    fc.assert(
      fc.property(shuffled(whole), (facts) => {
        expect(licensesIn(told(facts))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('says at every step what its processor has said so far', () => {
    const until = (days: number) => licensesIn(told(life.filter(({ at }) => at <= day(days))));
    expect([until(0), until(30), until(61), until(63)].map(([license]) => license?.expiresAt)).toEqual(
      [30, 60, 67, 90].map(day),
    );
  });

  it('never mixes with that of another buyer', () => {
    const other = { ...SALE, tag: 'b', email: 'bob@buyer.example' };
    const both = [...life, ...factsOf(id, subscriptionLife(id, other)), ...factsOf(id, fullRefund(id, other))];
    fc.assert(
      fc.property(shuffled(both), (facts) => {
        const licenses = licensesIn(told(facts)).toSorted((one, two) =>
          String(one.email) < String(two.email) ? -1 : 1,
        );
        expect(licenses).toMatchObject([
          { email: SALE.email, revokedFor: null },
          { email: other.email, revokedFor: 'refund' },
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('of what is sold once has no end', () => {
    expect(licensesIn(told(factsOf(id, oneOffSale(id, SALE))))).toMatchObject([
      { expiresAt: null, revokedFor: null, email: SALE.email },
    ]);
  });
});

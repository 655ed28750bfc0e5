import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { PaymentFact } from '../../src/payments/index.js';
import { entitlementOf, newRevocation, NO_PAYMENTS } from '../../src/webhooks/ledger/apply-payment.js';
import { productsOf } from '../../src/webhooks/ledger/bought-items.js';
import { emailFor, EMPTY_LEDGER, recordFact, type PaymentLedger } from '../../src/webhooks/ledger/payment-ledger.js';
import { factsOf } from '../support/interpreted.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { changeOfPlan } from '../support/processor-events/lemonsqueezy.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';
import { PROCESSOR_IDS } from '../support/app.js';

const SALE: Sale = { tag: 'a', email: 'ada@buyer.example', at: new Date('2027-01-01T00:00:00Z') };
const day = (number: number): Date => new Date(SALE.at.getTime() + number * 86_400_000);
const GRACE_DAYS = 7;

const ledgerOf = (facts: readonly PaymentFact[]): PaymentLedger => facts.reduce(recordFact, EMPTY_LEDGER);
/** The licenses of a ledger, as a customer would see them. */
const licensesIn = (ledger: PaymentLedger) =>
  ledger.purchases
    .map((purchase) => ({
      ...entitlementOf(purchase.paid, GRACE_DAYS),
      products: productsOf(purchase.paid),
      email: emailFor(ledger, purchase),
      pages: [purchase.paid.receiptUrl, purchase.paid.portalUrl],
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

  it('in order makes one license to the end of its third month', () => {
    expect(licensesIn(ledgerOf(life))).toMatchObject([
      { revokedFor: null, suspendedFor: [], expiresAt: day(90), email: SALE.email },
    ]);
  });

  it('in any order and with repetitions makes the same license', () => {
    const expected = licensesIn(ledgerOf(life));
    fc.assert(
      fc.property(shuffled(life), (facts) => {
        expect(licensesIn(ledgerOf(facts))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('whose first month is refunded keeps the months that are paid, whenever the refund arrives', () => {
    const whole = [...life, ...refund];
    const expected = licensesIn(ledgerOf(whole));
    expect(expected).toMatchObject([{ revokedFor: null, expiresAt: day(90) }]);
    expect(licensesIn(ledgerOf([...refund, ...life]))).toEqual(expected);
    fc.assert(
      fc.property(shuffled(whole), (facts) => {
        expect(licensesIn(ledgerOf(facts))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('with any months refunded ends with the last paid month, in any order and with repetitions', () => {
    const months = [1, 2, 3, 4];
    const events = FULL_SIZE[id];
    fc.assert(
      fc.property(
        fc.subarray(months),
        fc.integer({ min: 0, max: 29 }),
        fc.boolean(),
        fc.gen(),
        (taken, later, isOver, gen) => {
          const facts = factsOf(id, [
            ...months.flatMap((month) => events.paidMonth(SALE, month)),
            ...taken.flatMap((month) => events.refundedMonth(SALE, month, month * 30 - 29 + later)),
            ...(isOver ? [events.ended(SALE, 120, 4)] : []),
          ]);
          // At Polar a refund of a subscription's order leaves access.
          const lastPaid = id === 'polar' ? 4 : (months.findLast((month) => !taken.includes(month)) ?? 0);
          expect(licensesIn(ledgerOf(gen(shuffled, facts)))).toMatchObject([
            { revokedFor: null, suspendedFor: [], expiresAt: day(lastPaid * 30), email: SALE.email },
          ]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of something sold once is revoked by its refund, whenever that arrives', () => {
    const sold = factsOf(id, oneOffSale(id, SALE));
    fc.assert(
      fc.property(shuffled([...sold, ...refund]), (facts) => {
        expect(licensesIn(ledgerOf(facts))).toMatchObject([{ revokedFor: 'refund' }]);
      }),
      { numRuns: 100 },
    );
  });

  it('matches at every step what the processor has said so far', () => {
    const until = (days: number) => licensesIn(ledgerOf(life.filter(({ at }) => at <= day(days))));
    expect([until(0), until(30), until(61), until(63)].map(([license]) => license?.expiresAt)).toEqual(
      [30, 60, 67, 90].map(day),
    );
  });

  it('never mixes with the events of another buyer', () => {
    const other = { ...SALE, tag: 'b', email: 'bob@buyer.example' };
    const both = [...life, ...factsOf(id, subscriptionLife(id, other)), ...factsOf(id, fullRefund(id, other))];
    fc.assert(
      fc.property(shuffled(both), (facts) => {
        const licenses = licensesIn(ledgerOf(facts)).toSorted((one, two) =>
          String(one.email) < String(two.email) ? -1 : 1,
        );
        expect(licenses).toMatchObject([
          { email: SALE.email, revokedFor: null },
          { email: other.email, revokedFor: null },
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('of something sold once never ends', () => {
    expect(licensesIn(ledgerOf(factsOf(id, oneOffSale(id, SALE))))).toMatchObject([
      { expiresAt: null, revokedFor: null, email: SALE.email },
    ]);
  });
});

describe('a month at Lemon Squeezy', () => {
  const { paidMonth, refundedMonth, subscription } = FULL_SIZE.lemonsqueezy;
  const [changed, changeRefunded] = changeOfPlan(SALE, 5, 6);
  const better = { items: [{ price: '31', product: '20', quantity: 1 }] };
  const toYear = subscription(SALE, 5, 1, { ...better, with: { renews_at: day(370).toISOString() } });
  const toBetter = subscription(SALE, 5, 1, better);
  const movedTo = (end: number) => subscription(SALE, 2, 1, { with: { renews_at: day(end).toISOString() } });

  it.each<[string, readonly Notification[], number]>([
    ['that became a year lasts as long', [toYear, changed], 370],
    [
      'that became a year ends as paid before when the charge for that is refunded',
      [toYear, changed, changeRefunded],
      30,
    ],
    [
      'that became a year lasts as long when only the month is refunded',
      [toYear, changed, ...refundedMonth(SALE, 1, 6)],
      370,
    ],
    [
      'that became a year is over when both are refunded',
      [toYear, changed, changeRefunded, ...refundedMonth(SALE, 1, 6)],
      0,
    ],
    [
      'whose change of plan is refunded keeps the end that another charge has paid',
      [toBetter, changed, changeRefunded],
      30,
    ],
    ['whose end was moved is over when it is refunded', [movedTo(33), ...refundedMonth(SALE, 1, 5)], 0],
    ['whose end was moved back is over when it is refunded', [movedTo(25), ...refundedMonth(SALE, 1, 5)], 0],
    [
      'that is refunded after its end was moved leaves the next one',
      [movedTo(33), ...refundedMonth(SALE, 1, 5), ...paidMonth(SALE, 2)],
      60,
    ],
    [
      'after one whose end was moved is over when it is refunded',
      [movedTo(25), ...paidMonth(SALE, 2), ...refundedMonth(SALE, 2, 35)],
      30,
    ],
  ])('%s, in any order, and with repetitions', (_, events, end) => {
    fc.assert(
      fc.property(shuffled(factsOf('lemonsqueezy', [...paidMonth(SALE, 1), ...events])), (facts) => {
        expect(licensesIn(ledgerOf(facts))).toMatchObject([
          { revokedFor: null, suspendedFor: [], expiresAt: day(end) },
        ]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a month at Stripe during which collection was paused', () => {
  const { paidMonth, refundedMonth, subscription } = FULL_SIZE.stripe;
  const paused = (at: number, month: number) =>
    subscription(SALE, at, month, { with: { pause_collection: { behavior: 'void', resumes_at: null } } });
  const month = [...paidMonth(SALE, 1), paused(3, 1)];
  const refund = refundedMonth(SALE, 1, 4);

  it.each<[string, readonly Notification[], number]>([
    ['lasts to its end once collection resumes', [subscription(SALE, 5, 1)], 30],
    ['is over when it is refunded and collection resumes', [...refund, subscription(SALE, 5, 1)], 0],
    [
      'leaves a later month without a charge when it is refunded',
      [paused(35, 2), ...refund, subscription(SALE, 40, 2)],
      60,
    ],
    [
      'leaves the next paid month when it is refunded',
      [...refund, subscription(SALE, 5, 1), ...paidMonth(SALE, 2)],
      60,
    ],
  ])('%s, in any order, and with repetitions', (_, events, end) => {
    fc.assert(
      fc.property(shuffled(factsOf('stripe', [...month, ...events])), (facts) => {
        expect(licensesIn(ledgerOf(facts))).toMatchObject([
          { revokedFor: null, suspendedFor: [], expiresAt: day(end) },
        ]);
      }),
      { numRuns: 100 },
    );
  });
});

it('a refund or lost dispute that was overruled revokes once, reported in any order and any number of times', () => {
  const sold = factsOf('stripe', FULL_SIZE.stripe.soldOnce(SALE));
  const refund = factsOf('stripe', FULL_SIZE.stripe.refundedMonth(SALE, 1, 2));
  const closed = (id: string, status: string): readonly PaymentFact[] =>
    factsOf('stripe', [
      {
        id: `evt_${id}_${status}`,
        type: status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed',
        created: day(3).getTime() / 1000,
        data: { object: { id, status, charge: `ch_1_${SALE.tag}`, payment_intent: `pi_1_${SALE.tag}` } },
      },
    ]);
  const overruled = [...sold, ...refund, ...closed('dp_1', 'needs_response'), ...closed('dp_1', 'lost')];
  const paidIn = (facts: readonly PaymentFact[]) => ledgerOf(facts).purchases[0]?.paid ?? NO_PAYMENTS;
  fc.assert(
    fc.property(shuffled(overruled), shuffled(overruled), (facts, repeated) => {
      const before = paidIn(facts);
      expect(newRevocation(NO_PAYMENTS, before)).toBe('refund');
      expect(newRevocation(before, paidIn([...facts, ...repeated]))).toBeNull();
      expect(newRevocation(before, paidIn([...repeated, ...closed('dp_2', 'lost'), ...facts]))).toBe('dispute');
    }),
    { numRuns: 100 },
  );
});

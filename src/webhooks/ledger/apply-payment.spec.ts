import { describe, expect, it } from 'vitest';
import type { PurchaseDetails, PaymentFact } from '../../payments/index.js';
import {
  applyPayment,
  entitlementOf,
  newRevocation,
  NO_PAYMENTS,
  readRecord,
  type Entitlement,
  type PaymentRecord,
} from './apply-payment.js';
import { withImported } from './by-tenant.js';
import { soldOnceIn } from './bought-items.js';

const GRACE_DAYS = 7;
const day = (number: number): Date => new Date(Date.UTC(2027, 0, 1 + number));

type Telling<Fact> = Fact extends { readonly kind: 'customer_seen' }
  ? never
  : Omit<Fact, keyof PurchaseDetails> & Partial<PurchaseDetails>;

/** A fact of a day, silent but for what the test says. */
const on = (number: number, fact: Telling<PaymentFact>): PaymentFact => ({
  at: day(number),
  refs: ['subscription:1'],
  paymentRefs: [],
  paymentMadeAt: null,
  customerId: null,
  email: null,
  buyerName: null,
  planId: null,
  licenseId: null,
  claimToken: null,
  recipient: null,
  items: [],
  charged: [],
  offerId: null,
  receiptUrl: null,
  portalUrl: null,
  periodEnd: null,
  periodStart: null,
  periods: {},
  money: null,
  moneyRefs: null,
  takenBack: null,
  country: null,
  productName: null,
  total: null,
  lines: {},
  ...fact,
});

const apply = (facts: readonly PaymentFact[]): PaymentRecord =>
  facts.reduce<PaymentRecord>((paid, fact) => ({ ...paid, ...applyPayment(paid, fact) }), NO_PAYMENTS);

const item = (id: string) => ({ productIds: [id], quantity: 1, planId: null, isOnce: false });
const [SMALL, LARGE] = [[item('small')], [item('large')]];
/** A period that was paid for at its begin. */
const paidFor = (from: number, to: number): PaymentFact =>
  on(from, { kind: 'renewed', paymentRefs: [`invoice:${from}`], periodStart: day(from), periodEnd: day(to) });
const boughtFor = (days: number): PaymentFact =>
  on(0, { kind: 'purchased', paymentRefs: ['invoice:0'], periodStart: day(0), periodEnd: day(days) });
/** A period that the processor calls active at its begin. */
const periodOf = (from: number, to: number, items: PurchaseDetails['items'] = []): PaymentFact =>
  on(from, { kind: 'resumed', periodStart: day(from), periodEnd: day(to), items });

/** The processor's word at once that a period lasts for a month and some hours. */
const activeFor = (hours: number): PaymentFact =>
  on(0, { kind: 'resumed', periodStart: day(0), periodEnd: new Date(day(30).getTime() + hours * 3_600_000) });

const BOUGHT = on(0, { kind: 'purchased', periodEnd: day(30) });
const ACTIVE: Entitlement = { isBought: true, revokedFor: null, suspendedFor: [], expiresAt: day(30), renews: true };
const { renews: _, ...PAID } = ACTIVE;

describe('a license by its payments', () => {
  it.each<[string, readonly PaymentFact[], Partial<Entitlement>]>([
    ['bought for a month', [], {}],
    ['renewed', [on(30, { kind: 'renewed', periodEnd: day(60) })], { expiresAt: day(60) }],
    ['renewed by an older payment that came late', [on(-30, { kind: 'renewed', periodEnd: day(0) })], {}],
    ['whose payment fails', [on(30, { kind: 'past_due', periodEnd: day(60) })], { expiresAt: day(37), renews: false }],
    [
      'whose payment fails and is made good',
      [on(30, { kind: 'past_due' }), on(33, { kind: 'renewed', periodEnd: day(60) })],
      { expiresAt: day(60) },
    ],
    [
      'whose new period has begun, its payment on the way',
      [on(30, { kind: 'resumed', periodEnd: day(60) })],
      { expiresAt: day(60) },
    ],
    ['whose period is repeated', [on(1, { kind: 'resumed', periodEnd: day(30) })], {}],
    ['of a subscriber who was charged for something else', [on(5, { kind: 'sold_once' })], {}],
    [
      'of a subscriber who is past due and was charged for something else',
      [on(30, { kind: 'past_due' }), on(33, { kind: 'sold_once' })],
      { expiresAt: day(37), renews: false },
    ],
    ['paused', [on(5, { kind: 'paused' })], { suspendedFor: ['payment'], renews: false }],
    ['paused and resumed', [on(5, { kind: 'paused' }), on(6, { kind: 'resumed' })], {}],
    [
      'paused and paid',
      [on(5, { kind: 'paused' }), on(6, { kind: 'renewed', periodEnd: day(60) })],
      { expiresAt: day(60) },
    ],
    [
      'cancelled for the end of its period',
      [on(5, { kind: 'cancelled', isOver: false, endsAt: null })],
      { renews: false },
    ],
    [
      'cancelled for a day',
      [on(5, { kind: 'cancelled', isOver: false, endsAt: day(20) })],
      { expiresAt: day(20), renews: false },
    ],
    [
      'cancelled, and then not',
      [on(5, { kind: 'cancelled', isOver: false, endsAt: day(20) }), on(6, { kind: 'resumed' })],
      {},
    ],
    [
      'over at once',
      [on(5, { kind: 'cancelled', isOver: true, endsAt: day(5) })],
      { expiresAt: day(5), renews: false },
    ],
    ['over after its period', [on(31, { kind: 'cancelled', isOver: true, endsAt: day(31) })], { renews: false }],
    ['refunded', [on(5, { kind: 'refunded' })], { revokedFor: 'refund', renews: false }],
    [
      'refunded, and paid once more',
      [on(5, { kind: 'refunded' }), on(30, { kind: 'renewed', periodEnd: day(60) })],
      { revokedFor: 'refund', expiresAt: day(60), renews: false },
    ],
    ['disputed', [on(5, { kind: 'disputed', disputeId: 'd' })], { suspendedFor: ['dispute'] }],
    [
      'disputed while paused',
      [on(5, { kind: 'paused' }), on(5, { kind: 'disputed', disputeId: 'd' })],
      { suspendedFor: ['dispute', 'payment'], renews: false },
    ],
    [
      'disputed and won',
      [on(5, { kind: 'disputed', disputeId: 'd' }), on(9, { kind: 'dispute_closed', disputeId: 'd', isWon: true })],
      {},
    ],
    [
      'won before the dispute was heard of',
      [on(9, { kind: 'dispute_closed', disputeId: 'd', isWon: true }), on(5, { kind: 'disputed', disputeId: 'd' })],
      {},
    ],
    [
      'disputed twice, and won once',
      [
        on(5, { kind: 'disputed', disputeId: 'd' }),
        on(5, { kind: 'disputed', disputeId: 'e' }),
        on(9, { kind: 'dispute_closed', disputeId: 'd', isWon: true }),
      ],
      { suspendedFor: ['dispute'] },
    ],
    [
      'disputed and lost',
      [on(5, { kind: 'disputed', disputeId: 'd' }), on(9, { kind: 'dispute_closed', disputeId: 'd', isWon: false })],
      { revokedFor: 'dispute', renews: false },
    ],
    [
      'lost in one dispute and won in another',
      [
        on(5, { kind: 'dispute_closed', disputeId: 'd', isWon: false }),
        on(9, { kind: 'dispute_closed', disputeId: 'e', isWon: true }),
      ],
      { revokedFor: 'dispute', renews: false },
    ],
    [
      'lost in a dispute that is reported as won or open afterwards',
      [
        on(5, { kind: 'dispute_closed', disputeId: 'd', isWon: false }),
        on(9, { kind: 'dispute_closed', disputeId: 'd', isWon: true }),
        on(9, { kind: 'disputed', disputeId: 'd' }),
      ],
      { revokedFor: 'dispute', renews: false },
    ],
    [
      'disputed and won in the same second',
      [on(5, { kind: 'dispute_closed', disputeId: 'd', isWon: true }), on(5, { kind: 'disputed', disputeId: 'd' })],
      { suspendedFor: ['dispute'] },
    ],
    [
      'paused after it was over',
      [on(5, { kind: 'cancelled', isOver: true, endsAt: day(5) }), on(5, { kind: 'paused' })],
      { expiresAt: day(5), renews: false },
    ],
    [
      'that goes on without being collected',
      [on(30, { kind: 'uncollected', periodEnd: day(60) })],
      { expiresAt: null, renews: false },
    ],
  ])('%s', (_, facts, expected) => {
    expect(entitlementOf(apply([BOUGHT, ...facts]), GRACE_DAYS)).toEqual({ ...ACTIVE, ...expected });
    expect(entitlementOf(apply([...facts, BOUGHT]), GRACE_DAYS)).toEqual({ ...ACTIVE, ...expected });
  });

  it.each<[string, readonly PaymentFact[], Date]>([
    [
      'changed to a shorter interval, which the rest of the paid one pays for',
      [boughtFor(360), periodOf(100, 130), paidFor(100, 130)],
      day(130),
    ],
    ['changed to a longer interval', [boughtFor(30), periodOf(10, 370), paidFor(10, 370)], day(370)],
    [
      'changed to a longer interval whose payment fails',
      [boughtFor(30), periodOf(10, 370), on(10, { kind: 'past_due' })],
      day(17),
    ],
    [
      'changed to a dearer item in the middle of its period, whose payment fails',
      [boughtFor(360), periodOf(0, 360, SMALL), on(100, { kind: 'past_due', items: LARGE })],
      day(107),
    ],
    [
      'changed to a dearer item, whose payment fails and is made good',
      [
        boughtFor(360),
        periodOf(0, 360, SMALL),
        on(100, { kind: 'past_due', items: LARGE }),
        { ...paidFor(101, 360), at: day(102) },
      ],
      day(360),
    ],
    [
      'changed to a dearer item and back after its payment failed',
      [
        boughtFor(360),
        periodOf(0, 360, SMALL),
        on(100, { kind: 'past_due', items: LARGE }),
        on(101, { kind: 'resumed', periodStart: day(0), periodEnd: day(360), items: SMALL }),
      ],
      day(360),
    ],
    [
      'changed to a dearer item, and paid with the next period, whose next payment fails',
      [
        boughtFor(30),
        periodOf(0, 30, SMALL),
        on(10, { kind: 'resumed', periodStart: day(0), periodEnd: day(30), items: LARGE }),
        paidFor(30, 60),
        periodOf(30, 60, LARGE),
        on(60, { kind: 'past_due', periodEnd: day(90) }),
      ],
      day(67),
    ],
  ])('%s', (_, facts, end) => {
    for (const told of [facts, facts.toReversed()])
      expect(entitlementOf(apply(told), GRACE_DAYS)).toMatchObject({ ...PAID, expiresAt: end });
  });

  it('bought once never expires', () => {
    expect(entitlementOf(apply([on(0, { kind: 'purchased' })]), GRACE_DAYS)).toEqual({ ...ACTIVE, expiresAt: null });
  });

  it('whose payments name no period lasts as long as the subscription says', () => {
    const facts = [on(0, { kind: 'purchased' }), on(0, { kind: 'resumed', periodEnd: day(30) })];
    expect(entitlementOf(apply(facts), GRACE_DAYS)).toEqual(ACTIVE);
    expect(entitlementOf(apply([...facts, on(30, { kind: 'past_due' })]), GRACE_DAYS).expiresAt).toEqual(day(37));
  });

  it.each<[string, PaymentFact]>([
    ['a renewal', on(0, { kind: 'renewed', periodEnd: day(30) })],
    ['a refund', on(0, { kind: 'refunded' })],
    ['a pause', on(0, { kind: 'paused' })],
  ])('is not owed for %s alone', (_, fact) => {
    expect(entitlementOf(apply([fact]), GRACE_DAYS).isBought).toBe(false);
  });

  it.each<[string, Telling<PaymentFact>, Telling<PaymentFact>, Partial<Entitlement>]>([
    ['paused over active', { kind: 'renewed' }, { kind: 'paused' }, { suspendedFor: ['payment'] }],
    ['paused over past due', { kind: 'past_due' }, { kind: 'paused' }, { suspendedFor: ['payment'] }],
    [
      'paused over ending',
      { kind: 'cancelled', isOver: false, endsAt: day(20) },
      { kind: 'paused' },
      { suspendedFor: ['payment'] },
    ],
    [
      'ending over active',
      { kind: 'renewed' },
      { kind: 'cancelled', isOver: false, endsAt: day(20) },
      { expiresAt: day(20) },
    ],
  ])('of a subscription in two states in the same second is %s, in either order', (_, one, other, expected) => {
    for (const facts of [
      [on(5, one), on(5, other)],
      [on(5, other), on(5, one)],
    ])
      expect(entitlementOf(apply([BOUGHT, ...facts]), GRACE_DAYS)).toMatchObject({ isBought: true, ...expected });
  });

  it('sold once lasts, whatever becomes of the subscription', () => {
    const facts = [BOUGHT, on(5, { kind: 'paused' })];
    const once = { isOnce: true, products: [] };
    expect(entitlementOf(apply(facts), GRACE_DAYS, once)).toEqual({ ...ACTIVE, renews: false, expiresAt: null });
  });

  it('of a purchase that is no subscription is revoked once by each refund', () => {
    const once = { refs: ['order:1'] };
    const sale = on(0, { kind: 'purchased', paymentRefs: ['payment:1'], ...once });
    const refund = on(5, { kind: 'refunded', paymentRefs: ['payment:1'], ...once });
    const [sold, refunded] = [apply([sale]), apply([sale, refund])];
    expect(entitlementOf(refunded, GRACE_DAYS).revokedFor).toBe('refund');
    expect(newRevocation(sold, refunded)).toBe('refund');
    expect(newRevocation(refunded, apply([sale, refund, on(9, { kind: 'linked', ...once })]))).toBeNull();
    expect(newRevocation(sold, sold)).toBeNull();
  });

  it('of a purchase that is no subscription is revoked by what was last heard of its refund', () => {
    const once = { refs: ['order:1'] };
    const paid = { ...once, paymentRefs: ['payment:1'] };
    const sale = on(0, { kind: 'purchased', ...paid });
    const refund = { amount: null, isGiven: false, leavesAccess: false, lines: {} };
    const failed = (at: number): PaymentFact => on(at, { kind: 'refund', refundId: 'r', refund, ...paid });
    const causeOf = (facts: readonly PaymentFact[]) => entitlementOf(apply(facts), GRACE_DAYS).revokedFor;
    expect(causeOf([sale, failed(3), on(5, { kind: 'refunded', ...paid })])).toBe('refund');
    expect(causeOf([sale, on(3, { kind: 'refunded', ...paid }), failed(5)])).toBeNull();
  });

  it('does not last by a word that a refund took back, also when the two differ by an hour', () => {
    const endAfter = (hours: number) =>
      entitlementOf(
        apply([boughtFor(30), activeFor(hours), on(5, { kind: 'refunded', paymentRefs: ['invoice:0'] })]),
        GRACE_DAYS,
      ).expiresAt;
    expect(endAfter(1)).toEqual(day(0));
    expect(endAfter(2)).toEqual(new Date(day(30).getTime() + 2 * 3_600_000));
  });

  it('lasts for a period that ends as its payment fails, and not for one whose payment failed within it', () => {
    const endAfter = (hours: number) =>
      entitlementOf(apply([on(0, { kind: 'purchased' }), activeFor(hours), on(30, { kind: 'past_due' })]), GRACE_DAYS)
        .expiresAt;
    expect(endAfter(1)).toEqual(new Date(day(37).getTime() + 3_600_000));
    expect(endAfter(2)).toEqual(day(7));
  });

  it('that was imported lasts for the period that it was imported with', () => {
    const imported = { planId: 'pro', createdAt: day(0), expiresAt: day(30) };
    const paid = withImported(NO_PAYMENTS, imported);
    expect(paid.planIds).toEqual({ pro: day(0).toISOString() });
    expect(entitlementOf(paid, GRACE_DAYS)).toEqual({ ...ACTIVE, renews: false });
    const forever = withImported(NO_PAYMENTS, { ...imported, expiresAt: null });
    expect(entitlementOf(forever, GRACE_DAYS)).toEqual({ ...ACTIVE, renews: false, expiresAt: null });
  });

  it('has the pages where its buyer finds the receipt and the subscription', () => {
    const pages = { receiptUrl: 'https://pay.example/receipt', portalUrl: 'https://pay.example/portal' };
    const { receiptUrl, portalUrl } = apply([{ ...BOUGHT, ...pages }]);
    expect({ receiptUrl: receiptUrl?.value, portalUrl: portalUrl?.value }).toEqual(pages);
  });

  it('does not change by a known fact', () => {
    const paid = apply([BOUGHT, on(5, { kind: 'paused' })]);
    const seen: PaymentFact = {
      kind: 'customer_seen',
      at: day(5),
      customerId: 'c',
      email: 'ada@buyer.example',
      former: null,
    };
    for (const fact of [BOUGHT, on(5, { kind: 'paused' }), on(5, { kind: 'linked' }), seen])
      expect(applyPayment(paid, fact)).toEqual({});
    expect(Object.keys(applyPayment(paid, on(4, { kind: 'resumed' })))).toEqual(['standing']);
    expect(Object.keys(applyPayment(paid, on(6, { kind: 'resumed' })))).toEqual(['subscription', 'standing']);
  });

  it('stored by an earlier version is read with the end of its subscription', () => {
    const paid = apply([BOUGHT, on(5, { kind: 'cancelled', isOver: true, endsAt: day(5) })]);
    const { over, standing, failures, ...older } = paid;
    const [payment] = older.payments;
    const stored = {
      ...older,
      payments: [{ refs: payment?.refs, until: payment?.until, madeAt: payment?.madeAt, isRefunded: false }],
      subscription: { at: over?.at, value: { state: 'over', endsAt: over?.value } },
    };
    const read = readRecord(stored as unknown as PaymentRecord);
    expect(read).toEqual({ ...paid, subscription: null, standing, failures });
    expect(entitlementOf(read, GRACE_DAYS).expiresAt).toEqual(day(5));
  });

  it('takes the one with more weight of two facts in the same second', () => {
    for (const facts of [
      [on(5, { kind: 'resumed' }), on(5, { kind: 'cancelled', isOver: true, endsAt: day(5) })],
      [on(5, { kind: 'cancelled', isOver: true, endsAt: day(5) }), on(5, { kind: 'resumed' })],
    ])
      expect(entitlementOf(apply([BOUGHT, ...facts]), GRACE_DAYS).expiresAt).toEqual(day(5));
  });
});

describe('an item of a subscription that has a period of its own', () => {
  const periods = (small: readonly [number, number], large?: readonly [number, number]) => ({
    small: { start: day(small[0]), end: day(small[1]) },
    ...(large === undefined ? {} : { large: { start: day(large[0]), end: day(large[1]) } }),
  });
  const BOTH = [...SMALL, ...LARGE];
  /** A month of one and a year of the other, sold together; then another month. */
  const YEAR = [
    on(0, {
      kind: 'purchased',
      paymentRefs: ['invoice:0'],
      periodStart: day(0),
      periodEnd: day(365),
      periods: periods([0, 30], [0, 365]),
    }),
    on(0, {
      kind: 'resumed',
      items: BOTH,
      periodStart: day(0),
      periodEnd: day(365),
      periods: periods([0, 30], [0, 365]),
    }),
  ];
  const SECOND_MONTH = [
    on(30, {
      kind: 'renewed',
      paymentRefs: ['invoice:30'],
      periodStart: day(30),
      periodEnd: day(60),
      periods: periods([30, 60]),
    }),
    on(30, {
      kind: 'resumed',
      items: BOTH,
      periodStart: day(30),
      periodEnd: day(365),
      periods: periods([30, 60], [0, 365]),
    }),
  ];

  it.each<[string, readonly PaymentFact[], number, number]>([
    ['lasts to the end of its own', YEAR, 30, 365],
    ['is renewed by itself', [...YEAR, ...SECOND_MONTH], 60, 365],
    [
      'ends by itself when its payment is refunded',
      [...YEAR, ...SECOND_MONTH, on(40, { kind: 'refunded', paymentRefs: ['invoice:30'] })],
      30,
      365,
    ],
    [
      'lasts to the grace after its own when its payment fails',
      [...YEAR, ...SECOND_MONTH, on(60, { kind: 'past_due' })],
      67,
      372,
    ],
    [
      'was paid for as the item before it',
      [paidFor(-30, 20), ...YEAR.slice(1), on(0, { kind: 'purchased', paymentRefs: ['invoice:-30'] })],
      30,
      365,
    ],
    ['was paid for longer as the item before it', [paidFor(0, 40), ...YEAR.slice(1), boughtFor(20)], 40, 365],
    [
      'outlasts the other when it is renewed beyond it',
      [
        ...YEAR,
        on(360, {
          kind: 'renewed',
          paymentRefs: ['invoice:360'],
          periodStart: day(360),
          periodEnd: day(390),
          periods: periods([360, 390]),
        }),
      ],
      390,
      365,
    ],
  ])('%s', (_, facts, small, large) => {
    for (const told of [facts, facts.toReversed()]) {
      const ends = ['small', 'large'].map(
        (product) => entitlementOf(apply(told), GRACE_DAYS, { isOnce: false, products: [product] }).expiresAt,
      );
      expect(ends).toEqual([day(small), day(large)]);
    }
  });

  it('does not matter while it is the only one', () => {
    const facts = [...YEAR, on(10, { kind: 'resumed', items: LARGE, periodEnd: day(365) })];
    const part = { isOnce: false, products: ['small'] };
    expect(entitlementOf(apply([boughtFor(30), periodOf(0, 30, SMALL)]), GRACE_DAYS, part)).toEqual(ACTIVE);
    expect(entitlementOf(apply(facts), GRACE_DAYS, { ...part, products: ['large'] }).expiresAt).toEqual(day(365));
  });
});

describe('what is sold once to a subscriber', () => {
  const hat = { ...item('hat'), isOnce: true };
  const charge = (number: number, rest: Partial<PurchaseDetails>): PaymentFact =>
    on(number, { kind: 'sold_once', paymentRefs: [`invoice:${number}`], charged: [hat], ...rest });

  it('is counted by all payments together, and apart from what renews', () => {
    const paid = apply([charge(0, { kind: 'purchased', charged: [hat, ...SMALL] } as object), charge(1, {})]);
    expect(soldOnceIn(paid)).toEqual([{ ...hat, quantity: 2 }]);
    expect(Object.keys(paid.charged)).toEqual([JSON.stringify(SMALL)]);
  });

  it('is known by the id of the subscription among others', () => {
    expect(soldOnceIn(apply([charge(0, { refs: ['order:1', 'subscription:1'] })]))).toEqual([hat]);
  });

  it('pays for no period, whatever period it fell into', () => {
    expect(apply([charge(0, { periodStart: day(0) })]).payments).toMatchObject([{ from: null, until: null }]);
  });
});

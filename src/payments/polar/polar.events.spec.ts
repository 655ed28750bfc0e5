import { describe, expect, it } from 'vitest';
import { interpretPolar } from './polar.events.js';

const AT = new Date('2026-11-01T00:00:00Z');
const MONTH = new Date('2026-12-01T00:00:00Z');
const SOON = new Date('2026-11-20T00:00:00Z');
const read = (name: string, data: object) => interpretPolar(name, data as Readonly<Record<string, unknown>>, AT);
const BOUGHT = [{ productIds: ['price-1', 'prod-1'], quantity: 1, planId: null, isOnce: false }];
const SOLD_ITEMS = [{ productIds: ['prod-1'], quantity: 1, planId: null, isOnce: false }];
const SILENT = {
  paymentRefs: [],
  paymentMadeAt: null,
  customerId: null,
  email: null,
  buyerName: null,
  planId: null,
  claimToken: null,
  licenseId: null,
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
};

const CUSTOMER = { id: 'cust-1', email: 'Ada@Buyer.example', external_id: null };
const ORDER = {
  id: 'ord-1',
  status: 'paid',
  billing_reason: 'purchase',
  customer_id: 'cust-1',
  customer: CUSTOMER,
  product_id: 'prod-1',
  items: [{ product_price_id: 'price-1' }],
  subscription_id: null,
  subscription: null,
  metadata: { planId: 'plan-1' },
  net_amount: 900,
  refunded_amount: 0,
};
const SUBSCRIPTION = {
  id: 'sub-1',
  status: 'active',
  customer_id: 'cust-1',
  customer: CUSTOMER,
  product_id: 'prod-1',
  current_period_end: MONTH.toISOString(),
  cancel_at_period_end: false,
  metadata: {},
};
const KNOWN = { ...SILENT, at: AT, customerId: 'cust-1', email: 'ada@buyer.example' };
const SUBSCRIPTION_FACT = { ...KNOWN, refs: ['subscription:sub-1'], items: SOLD_ITEMS, periodEnd: MONTH };

describe('an order at Polar', () => {
  const sold = { ...KNOWN, paymentRefs: ['order:ord-1'], planId: 'plan-1', charged: BOUGHT };

  it('that is paid is a sale', () => {
    expect(read('order.paid', ORDER)).toEqual([{ ...sold, kind: 'purchased', refs: ['order:ord-1'] }]);
  });

  it.each([
    ['subscription_create', 'purchased'],
    ['subscription_cycle', 'renewed'],
  ])('that is paid for %s is %s until the period ends', (billing_reason, kind) => {
    const subscription = { id: 'sub-1', current_period_end: MONTH.toISOString() };
    const order = { ...ORDER, billing_reason, subscription_id: 'sub-1', subscription };
    expect(read('order.paid', order)).toEqual([
      { ...sold, kind, refs: ['order:ord-1', 'subscription:sub-1'], periodEnd: MONTH },
    ]);
  });

  it('of a change within a period does not name the items of the subscription', () => {
    expect(read('order.paid', { ...ORDER, billing_reason: 'subscription_update' })).toMatchObject([
      { kind: 'renewed', charged: [] },
    ]);
  });

  it('has the seats that are named with the product', () => {
    expect(read('order.paid', { ...ORDER, seats: 5 })).toMatchObject([{ charged: [{ quantity: 5 }] }]);
    expect(read('subscription.updated', { ...SUBSCRIPTION, seats: 7 })).toMatchObject([{ items: [{ quantity: 7 }] }]);
  });

  it('may have no e-mail address, or be for usage only', () => {
    expect(read('order.paid', { ...ORDER, customer: { ...CUSTOMER, email: null } })).toMatchObject([{ email: null }]);
    expect(read('order.paid', { ...ORDER, billing_reason: 'subscription_meter_cycle' })).toEqual([]);
  });

  it.each<[string, object, boolean]>([
    ['wholly', { status: 'refunded', refunded_amount: 900 }, true],
    ['wholly, by its sum', { refunded_amount: 900 }, true],
    ['partly', { status: 'partially_refunded', refunded_amount: 300 }, false],
  ])('that was %s refunded', (_, change, isFull) => {
    const known = { ...SILENT, at: AT, refs: ['order:ord-1'], paymentRefs: ['order:ord-1'] };
    const part = { kind: 'refund', refundId: 'order:ord-1', refund: { ...LEFT, leavesAccess: false } };
    expect(read('order.refunded', { ...ORDER, ...change })).toEqual([
      { ...known, ...(isFull ? { kind: 'refunded' } : part) },
    ]);
  });

  it('of a subscription that was refunded leaves access', () => {
    expect(read('order.refunded', { ...ORDER, subscription_id: 'sub-1', status: 'refunded' })).toMatchObject([
      { kind: 'refund', refundId: 'order:ord-1', refund: LEFT },
    ]);
  });
});

/** A refund of an unknown share that leaves access. */
const LEFT = { amount: null, isGiven: true, leavesAccess: true, lines: {} };

describe('a refund at Polar', () => {
  const REFUND = {
    id: 'ref-1',
    status: 'succeeded',
    amount: 900,
    order_id: 'ord-1',
    subscription_id: 'sub-1',
    reason: 'customer_request',
    revoke_benefits: false,
    dispute: null,
  };

  const taken = [{ kind: 'refunded' }, { kind: 'refund', refundId: 'ref-1', refund: { ...LEFT, leavesAccess: false } }];

  it.each<[string, object, readonly object[]]>([
    ['of an amount alone', {}, [{ kind: 'refund', refundId: 'ref-1', refund: LEFT }]],
    ['that takes the benefits of what was sold once', { revoke_benefits: true, subscription_id: null }, taken],
    ['that takes the benefits of a subscription', { revoke_benefits: true }, []],
    ['that forestalls a dispute', { reason: 'dispute_prevention' }, taken],
    ['of a dispute', { dispute: { id: 'dis-1' } }, taken],
    ['that takes the benefits, but waits', { revoke_benefits: true, status: 'pending' }, []],
    ['that failed', { status: 'failed' }, [{ kind: 'refund', refundId: 'ref-1', refund: { ...LEFT, isGiven: false } }]],
  ])('%s', (_, change, expected) => {
    const sold = { ...REFUND, ...change };
    const refs = ['order:ord-1', ...(sold.subscription_id === null ? [] : ['subscription:sub-1'])];
    for (const name of ['refund.created', 'refund.updated'])
      expect(read(name, sold)).toEqual(
        expected.map((fact) => ({ ...SILENT, at: AT, refs, paymentRefs: ['order:ord-1'], ...fact })),
      );
  });
});

describe('a subscription at Polar', () => {
  it.each<[string, object, object]>([
    ['stands', {}, { kind: 'resumed' }],
    ['is tried', { status: 'trialing' }, { kind: 'resumed' }],
    ['ends with its period', { cancel_at_period_end: true }, { kind: 'cancelled', isOver: false, endsAt: MONTH }],
    [
      'ends on a day',
      { cancel_at_period_end: true, ends_at: SOON.toISOString() },
      { kind: 'cancelled', isOver: false, endsAt: SOON },
    ],
    ['is behind', { status: 'past_due' }, { kind: 'past_due' }],
    ['is unpaid', { status: 'unpaid' }, { kind: 'paused' }],
    ['is paused', { status: 'paused' }, { kind: 'paused' }],
    [
      'is over',
      { status: 'canceled', ended_at: SOON.toISOString() },
      { kind: 'cancelled', isOver: true, endsAt: SOON },
    ],
  ])('that %s, in whichever event', (_, change, expected) => {
    for (const what of [
      'created',
      'active',
      'updated',
      'cycled',
      'canceled',
      'uncanceled',
      'past_due',
      'paused',
      'resumed',
    ])
      expect(read(`subscription.${what}`, { ...SUBSCRIPTION, ...change })).toEqual([
        { ...SUBSCRIPTION_FACT, ...expected },
      ]);
  });

  it('that was revoked is over, whatever its status', () => {
    expect(read('subscription.revoked', SUBSCRIPTION)).toEqual([
      { ...SUBSCRIPTION_FACT, kind: 'cancelled', isOver: true, endsAt: AT },
    ]);
  });

  it('that is incomplete means nothing', () => {
    expect(read('subscription.updated', { ...SUBSCRIPTION, status: 'incomplete' })).toEqual([]);
  });
});

it('a customer of Polar is recorded if there is an e-mail address', () => {
  expect(read('customer.updated', CUSTOMER)).toEqual([
    { kind: 'customer_seen', at: AT, customerId: 'cust-1', email: 'ada@buyer.example', former: null },
  ]);
  expect(read('customer.created', { ...CUSTOMER, email: null })).toEqual([]);
});

it.each(['member.created', 'member.updated'])('%s at Polar names the address of a team by its owner', (name) => {
  const member = { id: 'mem-1', customer_id: 'cust-1', email: 'Owner@firm.example', role: 'owner' };
  expect(read(name, member)).toEqual([
    { kind: 'customer_seen', at: AT, customerId: 'cust-1', email: 'owner@firm.example', former: null },
  ]);
  expect(read(name, { ...member, role: 'member' })).toEqual([]);
});

it('other events of Polar mean nothing', () => {
  for (const name of ['', 'order.created', 'order.updated', 'benefit_grant.created', 'constructor'])
    expect(read(name, { ...ORDER, ...SUBSCRIPTION })).toEqual([]);
});

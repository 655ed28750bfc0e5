import { describe, expect, it } from 'vitest';
import { interpretPaddle } from './paddle.events.js';

const AT = new Date('2026-11-01T00:00:00Z');
const MONTH = new Date('2026-12-01T00:00:00Z');
const PAID_PERIOD = { periodStart: AT, periodEnd: MONTH };
const SOON = new Date('2026-11-20T00:00:00Z');
const read = (name: string, data: object) => interpretPaddle(name, data as Readonly<Record<string, unknown>>, AT);
const SOLD_ITEMS = [{ productIds: ['pri_1', 'pro_1'], quantity: 1, planId: null, isOnce: false }];
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

const ITEMS = [{ quantity: 1, price: { id: 'pri_1', product_id: 'pro_1', custom_data: null } }];
const TRANSACTION = {
  id: 'txn_1',
  origin: 'web',
  status: 'completed',
  customer_id: 'ctm_1',
  subscription_id: 'sub_1',
  items: ITEMS,
  custom_data: { planId: 'plan-1', email: 'ADA@buyer.example' },
  billing_period: { starts_at: AT.toISOString(), ends_at: MONTH.toISOString() },
};
const SUBSCRIPTION = {
  id: 'sub_1',
  status: 'active',
  customer_id: 'ctm_1',
  items: ITEMS,
  custom_data: null,
  scheduled_change: null,
  current_billing_period: { ends_at: MONTH.toISOString() },
};
const SOLD = {
  ...SILENT,
  at: AT,
  refs: ['transaction:txn_1', 'subscription:sub_1'],
  customerId: 'ctm_1',
  email: 'ada@buyer.example',
  planId: 'plan-1',
};
const SUBSCRIPTION_FACT = {
  ...SILENT,
  at: AT,
  refs: ['subscription:sub_1'],
  customerId: 'ctm_1',
  items: SOLD_ITEMS,
  periodEnd: MONTH,
};

describe('a transaction at Paddle', () => {
  it.each([
    ['web', 'purchased'],
    ['api', 'purchased'],
    ['subscription_recurring', 'renewed'],
  ])('of origin %s is %s', (origin, kind) => {
    expect(read('transaction.completed', { ...TRANSACTION, origin })).toEqual([
      { ...SOLD, kind, charged: SOLD_ITEMS, paymentRefs: ['transaction:txn_1'], ...PAID_PERIOD },
    ]);
  });

  it('of a change within a period does not name the other items of the subscription', () => {
    expect(read('transaction.completed', { ...TRANSACTION, origin: 'subscription_update' })).toEqual([
      { ...SOLD, kind: 'renewed', paymentRefs: ['transaction:txn_1'], ...PAID_PERIOD },
    ]);
  });

  it('of a charge to a subscriber sells it once', () => {
    const items = [{ quantity: 1, price: { id: 'pri_2', product_id: 'pro_2', billing_cycle: null } }];
    expect(read('transaction.completed', { ...TRANSACTION, origin: 'subscription_charge', items })).toMatchObject([
      { kind: 'sold_once', charged: [{ productIds: ['pri_2', 'pro_2'], quantity: 1, isOnce: true }] },
    ]);
  });

  it.each(['subscription_payment_method_change', null])('of origin %s sells nothing', (origin) => {
    expect(read('transaction.completed', { ...TRANSACTION, origin })).toEqual([]);
  });

  it('without a subscription has no end, and its plan may be named at the price', () => {
    const items = [{ price: { id: 'pri_1', product_id: 'pro_1', custom_data: { planId: 'plan-2' } } }];
    const once = { ...TRANSACTION, subscription_id: null, billing_period: null, custom_data: null, items };
    expect(read('transaction.completed', once)).toEqual([
      {
        ...SOLD,
        kind: 'purchased',
        refs: ['transaction:txn_1'],
        paymentRefs: ['transaction:txn_1'],
        email: null,
        buyerName: null,
        planId: null,
        charged: [{ productIds: ['pri_1', 'pro_1'], quantity: 1, planId: 'plan-2', isOnce: false }],
      },
    ]);
  });

  it.each(['transaction.payment_failed', 'transaction.past_due'])(
    'with %s is past due if it is for a subscription',
    (name) => {
      expect(read(name, TRANSACTION)).toEqual([{ ...SOLD, kind: 'past_due' }]);
      expect(read(name, { ...TRANSACTION, subscription_id: null })).toEqual([]);
    },
  );
});

describe('a subscription at Paddle', () => {
  it.each<[string, object, object]>([
    ['stands', {}, { kind: 'resumed' }],
    ['is tried', { status: 'trialing' }, { kind: 'resumed' }],
    [
      'will be paused',
      { scheduled_change: { action: 'pause', effective_at: SOON.toISOString() } },
      { kind: 'resumed' },
    ],
    [
      'will end',
      { scheduled_change: { action: 'cancel', effective_at: SOON.toISOString() } },
      { kind: 'cancelled', isOver: false, endsAt: SOON },
    ],
    ['is behind', { status: 'past_due' }, { kind: 'past_due' }],
    ['is paused', { status: 'paused' }, { kind: 'paused' }],
    [
      'is over',
      { status: 'canceled', canceled_at: SOON.toISOString() },
      { kind: 'cancelled', isOver: true, endsAt: SOON },
    ],
  ])('that %s', (_, change, expected) => {
    expect(read('subscription.updated', { ...SUBSCRIPTION, ...change })).toEqual([
      { ...SUBSCRIPTION_FACT, ...expected },
    ]);
  });

  it.each(['activated', 'trialing', 'paused', 'resumed', 'past_due', 'canceled'])(
    'with subscription.%s is read by its status',
    (what) => {
      expect(read(`subscription.${what}`, SUBSCRIPTION)).toEqual([{ ...SUBSCRIPTION_FACT, kind: 'resumed' }]);
    },
  );

  it('names the transaction that paid for it when it is created', () => {
    expect(read('subscription.created', { ...SUBSCRIPTION, transaction_id: 'txn_1' })).toEqual([
      { ...SUBSCRIPTION_FACT, kind: 'resumed', refs: ['subscription:sub_1', 'transaction:txn_1'] },
    ]);
  });
});

it.each(['customer.created', 'customer.updated', 'customer.imported'])(
  '%s at Paddle names the address that receives a code',
  (name) => {
    expect(read(name, { id: 'ctm_1', email: ' Ada@Buyer.example' })).toEqual([
      { kind: 'customer_seen', at: AT, customerId: 'ctm_1', email: 'ada@buyer.example', former: null },
    ]);
    expect(read(name, { id: 'ctm_1', email: null })).toEqual([]);
  },
);

describe('an adjustment at Paddle', () => {
  const REFUND = {
    id: 'adj_1',
    action: 'refund',
    type: 'full',
    status: 'approved',
    transaction_id: 'txn_1',
    subscription_id: 'sub_1',
  };
  const known = {
    ...SILENT,
    at: AT,
    refs: ['transaction:txn_1', 'subscription:sub_1'],
    paymentRefs: ['transaction:txn_1'],
  };
  const disputeId = 'transaction:txn_1';
  const PART = { amount: null, isGiven: true, leavesAccess: false, lines: {} };

  it.each<[string, object, object | null]>([
    ['of all the money, approved', {}, { kind: 'refunded' }],
    ['of before there was a type', { type: undefined, items: [{ type: 'full' }] }, { kind: 'refunded' }],
    [
      'of a part of an item',
      { type: undefined, items: [{ type: 'full' }, { type: 'partial' }] },
      { kind: 'refund', refundId: 'adj_1', refund: PART },
    ],
    ['of a part', { type: 'partial' }, { kind: 'refund', refundId: 'adj_1', refund: PART }],
    [
      'that was taken back',
      { status: 'reversed' },
      { kind: 'refund', refundId: 'adj_1', refund: { ...PART, isGiven: false } },
    ],
    ['that waits', { status: 'pending_approval' }, null],
    ['that was rejected', { status: 'rejected' }, null],
    ['that is a credit', { action: 'credit' }, null],
    ['that warns of a chargeback', { action: 'chargeback_warning' }, null],
    ['that is a chargeback', { action: 'chargeback' }, { kind: 'disputed', disputeId }],
    [
      'that takes a chargeback back',
      { action: 'chargeback_reverse' },
      { kind: 'dispute_closed', disputeId, isWon: true },
    ],
    [
      'that was a chargeback',
      { action: 'chargeback', status: 'reversed' },
      { kind: 'dispute_closed', disputeId, isWon: true },
    ],
  ])('%s', (_, change, expected) => {
    const facts = expected === null ? [] : [{ ...known, ...expected }];
    for (const name of ['adjustment.created', 'adjustment.updated'])
      expect(read(name, { ...REFUND, ...change })).toEqual(facts);
  });

  it('of lines names each with what was refunded of it', () => {
    const items = [
      { item_id: 'txnitm_1', type: 'full', amount: '900' },
      { item_id: 'txnitm_2', type: 'partial', amount: '300' },
    ];
    expect(read('adjustment.updated', { ...REFUND, type: 'partial', items, totals: { total: '1200' } })).toMatchObject([
      { kind: 'refund', refund: { amount: 1200, lines: { txnitm_1: null, txnitm_2: 300 } } },
    ]);
  });
});

it('other events of Paddle mean nothing', () => {
  for (const name of ['', 'transaction.paid', 'price.updated', 'constructor'])
    expect(read(name, TRANSACTION)).toEqual([]);
});

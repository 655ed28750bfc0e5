import { describe, expect, it } from 'vitest';
import { interpretCreem } from './creem.events.js';

const AT = new Date('2026-11-01T00:00:00Z');
const MONTH = new Date('2026-12-01T00:00:00Z');
const SOON = new Date('2026-11-20T00:00:00Z');
const read = (name: string, object: object) => interpretCreem(name, object as Readonly<Record<string, unknown>>, AT);

const CUSTOMER = { id: 'cust_1', object: 'customer', email: 'Ada@Buyer.example' };
const ORDER = {
  id: 'ord_1',
  product: 'prod_1',
  transaction: 'tran_1',
  amount: 900,
  amount_paid: 1089,
  currency: 'EUR',
  status: 'paid',
  type: 'onetime',
};
const CHECKOUT = {
  id: 'ch_1',
  object: 'checkout',
  order: ORDER,
  product: { id: 'prod_1' },
  units: 3,
  customer: CUSTOMER,
  metadata: { planId: 'plan-1', claimToken: 'token-1' },
  mode: 'prod',
};
const SUBSCRIPTION = {
  id: 'sub_1',
  object: 'subscription',
  product: { id: 'prod_1' },
  customer: CUSTOMER,
  items: [{ product_id: 'prod_1', price_id: 'pprice_1', units: 2 }],
  status: 'active',
  last_transaction_id: 'tran_1',
  current_period_start_date: AT.toISOString(),
  current_period_end_date: MONTH.toISOString(),
  canceled_at: null,
  created_at: AT.toISOString(),
  metadata: { planId: 'plan-1' },
};

describe('a checkout at Creem', () => {
  it('of something sold once is a sale, of the money that was paid, tax included', () => {
    expect(read('checkout.completed', CHECKOUT)).toMatchObject([
      {
        kind: 'purchased',
        refs: ['session:ch_1', 'order:ord_1', 'transaction:tran_1'],
        paymentRefs: ['order:ord_1', 'transaction:tran_1'],
        customerId: 'cust_1',
        email: 'ada@buyer.example',
        planId: 'plan-1',
        claimToken: 'token-1',
        charged: [{ productIds: ['prod_1'], quantity: 3 }],
        periodEnd: null,
        money: { value: 1089, currency: 'EUR' },
      },
    ]);
  });

  it.each([
    ['names its subscription', { subscription: { id: 'sub_1', metadata: {} } }],
    ['has an order that recurs', { order: { ...ORDER, type: 'recurring' } }],
  ])('that %s sells no time, and tells the ids and what the seller put into it', (_, change) => {
    expect(read('checkout.completed', { ...CHECKOUT, ...change })).toMatchObject([
      { kind: 'linked', claimToken: 'token-1', paymentRefs: [], charged: [] },
    ]);
  });

  it('that is not paid, or that names nothing, is none', () => {
    expect(read('checkout.completed', { ...CHECKOUT, order: { ...ORDER, status: 'pending' } })).toEqual([]);
    expect(read('checkout.completed', {})).toEqual([]);
  });

  it('without the newer members of an order is a sale all the same', () => {
    const { transaction: _transaction, amount_paid: _paid, ...order } = ORDER;
    expect(read('checkout.completed', { ...CHECKOUT, order })).toMatchObject([
      { kind: 'purchased', paymentRefs: ['order:ord_1'], money: { value: 900 } },
    ]);
  });
});

describe('a subscription at Creem', () => {
  it.each([
    ['in the period in which it was created', AT, 'purchased'],
    ['minutes after it was created', new Date(AT.getTime() - 300_000), 'purchased'],
    ['long after it was created', new Date('2026-09-01T00:00:00Z'), 'renewed'],
  ])('that is paid %s', (_, created, kind) => {
    expect(read('subscription.paid', { ...SUBSCRIPTION, created_at: created.toISOString() })).toMatchObject([
      {
        kind,
        refs: ['subscription:sub_1', 'transaction:tran_1'],
        paymentRefs: ['transaction:tran_1'],
        items: [{ productIds: ['pprice_1', 'prod_1'], quantity: 2 }],
        periodStart: AT,
        periodEnd: MONTH,
        money: null,
      },
    ]);
  });

  it('is paid with the money of its transaction', () => {
    const last_transaction = { id: 'tran_9', amount_paid: 1089, currency: 'eur' };
    const { last_transaction_id: _id, ...paid } = SUBSCRIPTION;
    expect(read('subscription.paid', { ...paid, last_transaction })).toMatchObject([
      { paymentRefs: ['transaction:tran_9'], money: { value: 1089, currency: 'EUR' } },
    ]);
  });

  it.each<[string, object, object]>([
    ['stands', {}, { kind: 'resumed', periodEnd: MONTH }],
    ['is tried', { status: 'trialing' }, { kind: 'resumed' }],
    ['ends with its period', { status: 'scheduled_cancel' }, { kind: 'cancelled', isOver: false, endsAt: MONTH }],
    ['is behind', { status: 'past_due' }, { kind: 'past_due' }],
    ['is unpaid', { status: 'unpaid' }, { kind: 'past_due' }],
    ['is paused', { status: 'paused' }, { kind: 'paused' }],
    ['is expired', { status: 'expired' }, { kind: 'paused' }],
    ['was cancelled', { status: 'canceled', canceled_at: SOON.toISOString() }, { isOver: true, endsAt: SOON }],
    ['was cancelled at no time', { status: 'canceled' }, { kind: 'cancelled', isOver: true, endsAt: AT }],
  ])('that %s, in whichever event', (_, change, expected) => {
    for (const what of ['active', 'update', 'scheduled_cancel', 'past_due', 'unpaid', 'paused', 'canceled'])
      expect(read(`subscription.${what}`, { ...SUBSCRIPTION, ...change })).toMatchObject([
        { refs: ['subscription:sub_1'], paymentRefs: [], ...expected },
      ]);
  });

  it('that begins with a trial is a sale until it ends', () => {
    expect(read('subscription.trialing', { ...SUBSCRIPTION, status: 'trialing' })).toMatchObject([
      { kind: 'purchased', periodEnd: MONTH, paymentRefs: [] },
      { kind: 'resumed', periodEnd: MONTH },
    ]);
  });

  it('that expired has no access, although it reads active', () => {
    expect(read('subscription.expired', SUBSCRIPTION)).toMatchObject([{ kind: 'paused' }]);
  });

  it('may list no items, or may have ids alone', () => {
    const { items: _items, ...thin } = SUBSCRIPTION;
    expect(read('subscription.active', { ...thin, product: 'prod_1', customer: 'cust_1' })).toMatchObject([
      { items: [{ productIds: ['prod_1'], quantity: 1 }], customerId: 'cust_1', email: null },
    ]);
  });

  it.each(['paid', 'active', 'trialing', 'expired'])('without an id says nothing: %s', (what) => {
    expect(read(`subscription.${what}`, { status: 'active' })).toEqual([]);
  });

  it('of an unknown status says nothing', () => {
    expect(read('subscription.update', { ...SUBSCRIPTION, status: 'incomplete' })).toEqual([]);
  });
});

describe('a refund at Creem', () => {
  const TRANSACTION = { id: 'tran_1', amount_paid: 1089, status: 'refunded', refunded_amount: 1089, order: 'ord_1' };
  const REFUND = { id: 'ref_1', status: 'succeeded', refund_amount: 1089, transaction: TRANSACTION, order: ORDER };
  const PART = { ...TRANSACTION, status: 'partialRefund', refunded_amount: 300 };

  it.each<[string, object, object]>([
    ['of all', {}, { kind: 'refunded' }],
    [
      'of a part',
      { refund_amount: 300, transaction: PART },
      { kind: 'refund', refundId: 'ref_1', refund: { amount: 300, isGiven: true, leavesAccess: false, lines: {} } },
    ],
    ['of the last part', { refund_amount: 300 }, { kind: 'refunded' }],
    ['of all, by its status alone', { transaction: { id: 'tran_1', status: 'refunded' } }, { kind: 'refunded' }],
    ['that failed', { status: 'failed' }, { kind: 'refund', refund: { isGiven: false } }],
    ['that was canceled', { status: 'canceled' }, { kind: 'refund', refund: { isGiven: false } }],
  ])('%s', (_, change, expected) => {
    expect(read('refund.created', { ...REFUND, ...change })).toMatchObject([
      { refs: ['order:ord_1', 'transaction:tran_1'], paymentRefs: ['order:ord_1', 'transaction:tran_1'], ...expected },
    ]);
  });

  it('of a subscription is of one payment, and not of the order that all of its payments share', () => {
    const subscription = { id: 'sub_1' };
    expect(read('refund.created', { ...REFUND, subscription })).toMatchObject([
      { refs: ['order:ord_1', 'transaction:tran_1', 'subscription:sub_1'], paymentRefs: ['transaction:tran_1'] },
    ]);
  });

  it('that waits, or that names nothing, says nothing', () => {
    expect(read('refund.created', { ...REFUND, status: 'pending' })).toEqual([]);
    expect(read('refund.created', { id: 'ref_1', status: 'succeeded' })).toEqual([]);
    expect(read('refund.created', { ...REFUND, id: null })).toEqual([]);
  });
});

it('a dispute at Creem names the payment', () => {
  const dispute = { id: 'disp_1', transaction: { id: 'tran_1', order: 'ord_1', subscription: 'sub_1' } };
  expect(read('dispute.created', dispute)).toMatchObject([
    { kind: 'disputed', disputeId: 'disp_1', paymentRefs: ['transaction:tran_1'] },
  ]);
  expect(read('dispute.created', { id: 'disp_1' })).toEqual([]);
});

it('other events of Creem mean nothing', () => {
  for (const name of ['', 'checkout.created', 'subscription.created', 'constructor'])
    expect(read(name, { ...CHECKOUT, ...SUBSCRIPTION })).toEqual([]);
});

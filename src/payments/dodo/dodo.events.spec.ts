import { describe, expect, it } from 'vitest';
import { interpretDodo } from './dodo.events.js';

const AT = new Date('2026-11-01T00:00:00Z');
const MONTH = new Date('2026-12-01T00:00:00Z');
const SOON = new Date('2026-11-20T00:00:00Z');
const read = (name: string, data: object) => interpretDodo(name, data as Readonly<Record<string, unknown>>, AT);

const CUSTOMER = { customer_id: 'cus_1', email: 'Ada@Buyer.example', name: 'Ada' };
const PAYMENT = {
  payment_id: 'pay_1',
  subscription_id: null,
  checkout_session_id: 'cks_1',
  customer: CUSTOMER,
  product_cart: [
    { product_id: 'pdt_1', quantity: 2 },
    { product_id: 'pdt_2', quantity: 1 },
  ],
  status: 'succeeded',
  total_amount: 900,
  currency: 'EUR',
  invoice_url: 'https://live.dodopayments.com/invoices/payments/pay_1',
  created_at: SOON.toISOString(),
  metadata: { planId: 'plan-1', claimToken: 'token-1' },
};
const SUBSCRIPTION = {
  subscription_id: 'sub_1',
  customer: CUSTOMER,
  product_id: 'pdt_1',
  quantity: 4,
  addons: [{ addon_id: 'adn_1', quantity: 1 }],
  status: 'active',
  previous_billing_date: AT.toISOString(),
  next_billing_date: MONTH.toISOString(),
  cancel_at_next_billing_date: false,
  created_at: AT.toISOString(),
  metadata: {},
};

describe('a payment at Dodo Payments', () => {
  it('without a subscription is a sale of its cart', () => {
    expect(read('payment.succeeded', PAYMENT)).toMatchObject([
      {
        kind: 'purchased',
        refs: ['payment:pay_1', 'session:cks_1'],
        paymentRefs: ['payment:pay_1'],
        customerId: 'cus_1',
        email: 'ada@buyer.example',
        planId: 'plan-1',
        claimToken: 'token-1',
        charged: [
          { productIds: ['pdt_1'], quantity: 2 },
          { productIds: ['pdt_2'], quantity: 1 },
        ],
        periodEnd: null,
        money: { value: 900, currency: 'EUR' },
        total: 900,
        receiptUrl: PAYMENT.invoice_url,
      },
    ]);
  });

  it('of a subscription is a payment at its time', () => {
    const paid = { ...PAYMENT, subscription_id: 'sub_1', product_cart: null };
    expect(read('payment.succeeded', paid)).toMatchObject([
      {
        kind: 'linked',
        refs: ['payment:pay_1', 'session:cks_1', 'subscription:sub_1'],
        paymentRefs: ['payment:pay_1'],
        paymentMadeAt: SOON,
        charged: [],
        total: 900,
      },
    ]);
    expect(read('payment.succeeded', { ...paid, created_at: null })).toMatchObject([{ paymentMadeAt: AT }]);
  });

  it('that only saves another card, or that names nothing, says nothing', () => {
    expect(read('payment.succeeded', { ...PAYMENT, is_update_payment_method: true })).toEqual([]);
    expect(read('payment.succeeded', {})).toEqual([]);
  });

  it.each(['http://live.dodopayments.com/x', 'https://dodopayments.com.evil.example/x', null, 7])(
    'leads to no page elsewhere: %j',
    (invoice_url) => {
      expect(read('payment.succeeded', { ...PAYMENT, invoice_url })).toMatchObject([{ receiptUrl: null }]);
    },
  );
});

describe('a subscription at Dodo Payments', () => {
  const known = { refs: ['subscription:sub_1'], items: [{ productIds: ['pdt_1'], quantity: 4 }], periodEnd: MONTH };

  it.each([
    ['subscription.active', AT, 'purchased'],
    ['subscription.active', new Date('2026-09-01T00:00:00Z'), 'renewed'],
    ['subscription.renewed', new Date('2026-09-01T00:00:00Z'), 'renewed'],
  ])('in %s, created at %s, is %s', (name, created, kind) => {
    expect(read(name, { ...SUBSCRIPTION, created_at: created.toISOString() })).toMatchObject([
      { kind, ...known, periodStart: AT },
      { kind: 'resumed', ...known },
    ]);
  });

  it('that was cancelled before its first event arrived was sold all the same', () => {
    expect(read('subscription.active', { ...SUBSCRIPTION, status: 'cancelled' })).toMatchObject([
      { kind: 'purchased', periodEnd: MONTH },
      { kind: 'cancelled', isOver: true, endsAt: MONTH },
    ]);
  });

  it('whose renewal failed before the event arrived is not paid', () => {
    expect(read('subscription.renewed', { ...SUBSCRIPTION, status: 'on_hold' })).toMatchObject([{ kind: 'past_due' }]);
  });

  it.each<[string, object, object]>([
    ['stands', {}, { kind: 'resumed' }],
    [
      'ends with its period',
      { cancel_at_next_billing_date: true },
      { kind: 'cancelled', isOver: false, endsAt: MONTH },
    ],
    ['is on hold', { status: 'on_hold' }, { kind: 'past_due' }],
    ['is paused', { status: 'paused' }, { kind: 'paused' }],
    ['was cancelled', { status: 'cancelled' }, { kind: 'cancelled', isOver: true, endsAt: MONTH }],
    [
      'is at the end of its term',
      { status: 'expired', expires_at: SOON.toISOString() },
      { isOver: true, endsAt: SOON },
    ],
    ['expired at no time', { status: 'expired' }, { kind: 'cancelled', isOver: true, endsAt: AT }],
  ])('that %s, in whichever event', (_, change, expected) => {
    for (const what of ['updated', 'plan_changed', 'on_hold', 'paused', 'unpaused', 'cancelled', 'expired'])
      expect(read(`subscription.${what}`, { ...SUBSCRIPTION, ...change })).toMatchObject([{ ...known, ...expected }]);
  });

  it.each(['pending', 'failed', 'constructor'])('that is %s says nothing', (status) => {
    for (const what of ['active', 'updated'])
      expect(read(`subscription.${what}`, { ...SUBSCRIPTION, status })).toEqual([]);
  });

  it('without an id or a period says nothing of a sale', () => {
    expect(read('subscription.active', { status: 'active' })).toEqual([]);
    expect(read('subscription.active', { ...SUBSCRIPTION, next_billing_date: null })).toMatchObject([
      { kind: 'resumed' },
    ]);
  });
});

describe('a refund at Dodo Payments', () => {
  const REFUND = { refund_id: 'ref_1', payment_id: 'pay_1', status: 'succeeded', amount: 900, is_partial: false };

  it.each<[string, object, object]>([
    ['of all', {}, { kind: 'refunded' }],
    [
      'of a part',
      { amount: 300, is_partial: true },
      { kind: 'refund', refundId: 'ref_1', refund: { amount: 300, isGiven: true, leavesAccess: false, lines: {} } },
    ],
    ['of an unknown share', { is_partial: undefined }, { kind: 'refund', refund: { amount: 900 } }],
    ['that failed', { status: 'failed' }, { kind: 'refund', refund: { isGiven: false } }],
  ])('%s', (_, change, expected) => {
    for (const name of ['refund.succeeded', 'refund.failed'])
      expect(read(name, { ...REFUND, ...change })).toMatchObject([
        { refs: ['payment:pay_1'], paymentRefs: ['payment:pay_1'], ...expected },
      ]);
  });

  it('that waits, or that names nothing, says nothing', () => {
    for (const change of [{ status: 'pending' }, { payment_id: null }, { refund_id: null }])
      expect(read('refund.succeeded', { ...REFUND, ...change })).toEqual([]);
  });
});

describe('a dispute at Dodo Payments', () => {
  const DISPUTE = { dispute_id: 'dis_1', payment_id: 'pay_1', amount: '9.00', dispute_stage: 'dispute' };

  it.each<[string, object, readonly object[]]>([
    ['opened', {}, [{ kind: 'disputed' }]],
    ['challenged', {}, [{ kind: 'disputed' }]],
    ['opened', { dispute_stage: 'pre_dispute' }, []],
    ['accepted', {}, [{ kind: 'dispute_closed', isWon: false }]],
    ['lost', { dispute_stage: 'pre_dispute' }, [{ kind: 'dispute_closed', isWon: false }]],
    ['won', {}, [{ kind: 'dispute_closed', isWon: true }]],
    ['cancelled', {}, [{ kind: 'dispute_closed', isWon: true }]],
    ['expired', {}, []],
    ['opened', { payment_id: null }, []],
  ])('that is %s (%j)', (what, change, expected) => {
    expect(read(`dispute.${what}`, { ...DISPUTE, ...change })).toMatchObject(
      expected.map((fact) => ({
        disputeId: 'dis_1',
        refs: ['payment:pay_1'],
        paymentRefs: ['payment:pay_1'],
        ...fact,
      })),
    );
  });
});

it('other events of Dodo Payments mean nothing, those about its own license keys included', () => {
  for (const name of ['', 'payment.failed', 'subscription.failed', 'license_key.created', 'constructor'])
    expect(read(name, { ...PAYMENT, ...SUBSCRIPTION })).toEqual([]);
});

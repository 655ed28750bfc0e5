import { describe, expect, it } from 'vitest';
import { interpretStripe } from './stripe.events.js';

const AT = new Date('2026-11-01T00:00:00Z');
const MONTH = new Date('2026-12-01T00:00:00Z');
const YEAR = new Date('2027-11-01T00:00:00Z');
const unix = (time: Date): number => time.getTime() / 1000;
const read = (name: string, object: object) => interpretStripe(name, object as Readonly<Record<string, unknown>>, AT);
const SOLD_ITEMS = [{ productIds: ['price_1', 'prod_1'], quantity: 1, planId: null, isOnce: false }];
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

const SESSION = {
  id: 'cs_1',
  mode: 'payment',
  payment_status: 'paid',
  customer_details: { email: 'Ada@Buyer.Example' },
  customer: 'cus_1',
  payment_intent: 'pi_1',
  payment_link: 'plink_1',
  subscription: null,
  metadata: { planId: 'plan-1' },
};
const INVOICE = {
  id: 'in_1',
  billing_reason: 'subscription_create',
  customer: 'cus_1',
  customer_email: 'ada@buyer.example',
  parent: { subscription_details: { subscription: 'sub_1', metadata: { planId: 'plan-1' } } },
  lines: {
    data: [
      {
        amount: -500,
        pricing: { price_details: { price: 'price_old', product: 'prod_1' } },
        period: { end: unix(AT) },
      },
      {
        amount: 900,
        pricing: { price_details: { price: 'price_1', product: 'prod_1' } },
        period: { end: unix(MONTH) },
      },
    ],
  },
};
const SUBSCRIPTION = {
  id: 'sub_1',
  status: 'active',
  customer: 'cus_1',
  items: { data: [{ price: { id: 'price_1', product: 'prod_1' }, current_period_end: unix(MONTH) }] },
  cancel_at_period_end: false,
  metadata: {},
};
const DISPUTE = { id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1', status: 'needs_response' };
/** The period of the only item. */
const PERIOD = { periodEnd: MONTH, periods: { prod_1: { start: null, end: MONTH } } };
const SUBSCRIPTION_FACT = {
  ...SILENT,
  at: AT,
  refs: ['subscription:sub_1'],
  customerId: 'cus_1',
  items: SOLD_ITEMS,
  ...PERIOD,
};

describe('a sale at Stripe', () => {
  it.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])('is %s', (name) => {
    const sold = {
      ...SILENT,
      kind: 'purchased',
      at: AT,
      refs: ['session:cs_1', 'payment:pi_1'],
      paymentRefs: ['payment:pi_1'],
      customerId: 'cus_1',
      email: 'ada@buyer.example',
      planId: 'plan-1',
      offerId: 'plink_1',
    };
    expect(read(name, SESSION)).toEqual([sold]);
    expect(read(name, { ...SESSION, payment_status: 'no_payment_required' })).toEqual([sold]);
  });

  it('of a subscription has its ids, and prices only if they were expanded', () => {
    const line_items = { data: [{ price: { id: 'price_1', product: 'prod_1' } }] };
    const object = { ...SESSION, mode: 'subscription', subscription: 'sub_1', payment_intent: null, line_items };
    expect(read('checkout.session.completed', object)).toMatchObject([
      { refs: ['session:cs_1', 'subscription:sub_1'], charged: SOLD_ITEMS },
    ]);
  });

  it.each([
    ['not paid yet', { payment_status: 'unpaid' }],
    ['only a card put on file', { mode: 'setup' }],
    ['without a name', { id: null, payment_intent: null }],
  ])('is not one %s', (_, change) => {
    expect(read('checkout.session.completed', { ...SESSION, ...change })).toEqual([]);
  });
});

describe('an invoice of Stripe', () => {
  const known = {
    ...SILENT,
    at: AT,
    refs: ['subscription:sub_1', 'invoice:in_1'],
    paymentRefs: ['invoice:in_1'],
    customerId: 'cus_1',
    email: 'ada@buyer.example',
    planId: 'plan-1',
    charged: SOLD_ITEMS,
  };

  it.each([
    ['subscription_create', 'purchased'],
    ['subscription_cycle', 'renewed'],
  ])('that is paid for %s is %s until the end of what was charged', (billing_reason, kind) => {
    for (const name of ['invoice.paid', 'invoice.payment_succeeded'])
      expect(read(name, { ...INVOICE, billing_reason })).toEqual([{ ...known, kind, ...PERIOD }]);
  });

  it('of a change within a period does not name the other items of the subscription', () => {
    expect(read('invoice.paid', { ...INVOICE, billing_reason: 'subscription_update' })).toEqual([
      { ...known, kind: 'renewed', charged: [], ...PERIOD },
    ]);
  });

  it('has the quantity of the period, without what a change adds', () => {
    const price_details = { price: 'price_1', product: 'prod_1' };
    const line = (amount: number, quantity: number, proration: boolean) => ({
      amount,
      quantity,
      parent: { type: 'subscription_item_details', subscription_item_details: { proration } },
      pricing: { price_details },
    });
    const lines = { data: [line(-300, 5, true), line(500, 8, true), line(7200, 6, false), line(200, 2, false)] };
    expect(read('invoice.paid', { ...INVOICE, lines })).toMatchObject([{ charged: [{ quantity: 8 }] }]);
  });

  const once = (amount: number, proration = false) => ({
    amount,
    quantity: 1,
    parent: { type: 'invoice_item_details', invoice_item_details: { proration } },
    pricing: { price_details: { price: 'price_2', product: 'prod_2' } },
    period: { end: unix(AT) },
  });
  const ONCE = { productIds: ['price_2', 'prod_2'], quantity: 1, planId: null, isOnce: true };

  it('of a base fee and of usage afterwards is for the period of the base fee, in whatever order', () => {
    const base = INVOICE.lines.data.at(-1);
    const usage = {
      ...once(500),
      parent: { type: 'subscription_item_details' },
      pricing: { price_details: { price: 'price_u', product: 'prod_1' } },
    };
    for (const data of [
      [base, usage],
      [usage, base],
    ])
      expect(read('invoice.paid', { ...INVOICE, lines: { data } })).toMatchObject([
        { periods: { prod_1: { end: MONTH } } },
      ]);
  });

  it('may sell something once beside the subscription, whose period counts', () => {
    const lines = { data: [...INVOICE.lines.data, once(500)] };
    expect(read('invoice.paid', { ...INVOICE, lines })).toMatchObject([
      { kind: 'purchased', charged: [...SOLD_ITEMS, ONCE], ...PERIOD },
    ]);
    const prorated = { data: [...INVOICE.lines.data, once(500, true)] };
    expect(read('invoice.paid', { ...INVOICE, lines: prorated })).toMatchObject([{ charged: SOLD_ITEMS }]);
  });

  it('may charge a subscriber once, and says nothing of the subscription then', () => {
    const charge = { ...INVOICE, billing_reason: 'manual', lines: { data: [once(500)] } };
    expect(read('invoice.paid', charge)).toMatchObject([{ kind: 'sold_once', charged: [ONCE], periodEnd: null }]);
    expect(read('invoice.payment_failed', charge)).toEqual([]);
  });

  it('that fails is past due, without a paid period', () => {
    expect(read('invoice.payment_failed', INVOICE)).toEqual([{ ...known, kind: 'past_due' }]);
  });

  it('of older versions of the API is read too', () => {
    const { parent: _, ...older } = INVOICE;
    const lines = { data: [{ amount: 0, price: { id: 'price_1', product: 'prod_1' }, period: { end: unix(MONTH) } }] };
    const object = { ...older, subscription: 'sub_1', payment_intent: 'pi_1', subscription_details: {}, lines };
    expect(read('invoice.paid', object)).toEqual([
      {
        ...known,
        kind: 'purchased',
        planId: null,
        refs: ['subscription:sub_1', 'invoice:in_1', 'payment:pi_1'],
        paymentRefs: ['invoice:in_1', 'payment:pi_1'],
        ...PERIOD,
      },
    ]);
  });

  it('without a subscription sells what it names, to whom it was sent', () => {
    const names = { refs: ['invoice:in_1'], paymentRefs: ['invoice:in_1'] };
    const sold = { customerId: 'cus_1', email: 'ada@buyer.example', charged: SOLD_ITEMS };
    expect(read('invoice.paid', { ...INVOICE, parent: null })).toEqual([
      { ...SILENT, kind: 'purchased', at: AT, ...names, ...sold },
    ]);
    const named = { ...INVOICE, parent: null, metadata: { planId: 'plan-1' }, lines: { data: [] } };
    expect(read('invoice.paid', named)).toMatchObject([{ kind: 'purchased', planId: 'plan-1', charged: [] }]);
    expect(read('invoice.paid', { ...INVOICE, parent: null, lines: { data: [] } })).toEqual([]);
    expect(read('invoice.payment_failed', { ...INVOICE, parent: null })).toEqual([]);
  });

  it('is linked to the payment that paid it', () => {
    const payment = { type: 'payment_intent', payment_intent: 'pi_9' };
    expect(read('invoice_payment.paid', { id: 'inpay_1', invoice: 'in_1', payment })).toEqual([
      {
        ...SILENT,
        kind: 'linked',
        at: AT,
        refs: ['invoice:in_1', 'payment:pi_9'],
        paymentRefs: ['invoice:in_1', 'payment:pi_9'],
      },
    ]);
    expect(read('invoice_payment.paid', { invoice: 'in_1', payment: { charge: 'ch_1' } })).toEqual([]);
  });
});

describe('a subscription at Stripe', () => {
  it.each<[string, object, object]>([
    ['stands', {}, { kind: 'resumed' }],
    ['stands while it is tried', { status: 'trialing' }, { kind: 'resumed' }],
    ['ends with its period', { cancel_at_period_end: true }, { kind: 'cancelled', isOver: false, endsAt: MONTH }],
    ['ends on a day', { cancel_at: unix(YEAR) }, { kind: 'cancelled', isOver: false, endsAt: YEAR }],
    ['collects no money', { pause_collection: { behavior: 'void' } }, { kind: 'uncollected' }],
    [
      'collects no money, and ends',
      { pause_collection: { behavior: 'void' }, cancel_at_period_end: true },
      { kind: 'cancelled', isOver: false, endsAt: MONTH },
    ],
    ['is behind', { status: 'past_due' }, { kind: 'past_due' }],
    ['is unpaid', { status: 'unpaid' }, { kind: 'paused' }],
    ['is paused', { status: 'paused' }, { kind: 'paused' }],
    ['is over', { status: 'canceled', ended_at: unix(MONTH) }, { kind: 'cancelled', isOver: true, endsAt: MONTH }],
    ['never began', { status: 'incomplete_expired' }, { kind: 'cancelled', isOver: true, endsAt: AT }],
  ])('that %s', (_, change, expected) => {
    expect(read('customer.subscription.updated', { ...SUBSCRIPTION, ...change })).toEqual([
      { ...SUBSCRIPTION_FACT, ...expected },
    ]);
  });

  it.each(['created', 'paused', 'resumed'])('that was %s is read by its status', (what) => {
    expect(read(`customer.subscription.${what}`, SUBSCRIPTION)).toEqual([{ ...SUBSCRIPTION_FACT, kind: 'resumed' }]);
  });

  it('that begins with a trial is bought, also when that is its only event', () => {
    expect(read('customer.subscription.created', { ...SUBSCRIPTION, status: 'trialing' })).toEqual([
      { ...SUBSCRIPTION_FACT, kind: 'purchased' },
      { ...SUBSCRIPTION_FACT, kind: 'resumed' },
    ]);
  });

  it('that was deleted is over, whatever its status', () => {
    expect(read('customer.subscription.deleted', SUBSCRIPTION)).toEqual([
      { ...SUBSCRIPTION_FACT, kind: 'cancelled', isOver: true, endsAt: AT },
    ]);
  });

  it.each(['incomplete', 'a status of next year', null])('of status %j means nothing', (status) => {
    expect(read('customer.subscription.updated', { ...SUBSCRIPTION, status })).toEqual([]);
  });

  it('of older versions of the API has its period at the top', () => {
    const items = { data: [{ price: { id: 'price_1', product: 'prod_1' } }] };
    const object = { ...SUBSCRIPTION, items, current_period_end: unix(MONTH) };
    const fact = { ...SUBSCRIPTION_FACT, kind: 'resumed', periods: {} };
    expect(read('customer.subscription.updated', object)).toEqual([fact]);
  });
});

describe('a link of Stripe', () => {
  const receipts = (name: string, object: object) =>
    read(name, object).map((fact) => fact.kind !== 'customer_seen' && fact.receiptUrl);
  const lines = { data: [{ price: { id: 'price_1', product: 'prod_1' } }] };
  const page = 'https://invoice.stripe.com/i/acct_1/live_1?s=ap';

  it('leads to a paid invoice, and to the receipt of a refund', () => {
    const once = { id: 'in_1', lines, hosted_invoice_url: page };
    expect(receipts('invoice.paid', { ...once, subscription: 'sub_1' })).toEqual([page]);
    expect(receipts('invoice.paid', once)).toEqual([page]);
    expect(receipts('invoice.payment_failed', { ...once, subscription: 'sub_1' })).toEqual([null]);
    expect(receipts('invoice.paid', { ...once, hosted_invoice_url: 'https://pay.stripe.com/i' })).toEqual([null]);
    const charge = { id: 'ch_1', refunded: true, receipt_url: 'https://pay.stripe.com/receipts/1' };
    expect(receipts('charge.refunded', charge)).toEqual([charge.receipt_url]);
    expect(receipts('charge.refunded', { ...charge, receipt_url: page })).toEqual([null]);
  });
});

describe('a refund or dispute at Stripe', () => {
  const refs = ['payment:pi_1', 'charge:ch_1'];

  it('counts when it is a full refund', () => {
    const charge = { id: 'ch_1', payment_intent: 'pi_1', amount: 900, amount_refunded: 900, refunded: true };
    expect(read('charge.refunded', charge)).toEqual([{ ...SILENT, kind: 'refunded', at: AT, refs, paymentRefs: refs }]);
    const part = { ...charge, amount_refunded: 300, refunded: false };
    expect(read('charge.refunded', part)).toEqual([]);
    const takenBack = { by: 'refund', id: null, money: { value: 300, currency: 'EUR' }, isGiven: true };
    expect(read('charge.refunded', { ...part, currency: 'eur' })).toEqual([
      { ...SILENT, kind: 'linked', at: AT, refs, paymentRefs: refs, takenBack },
    ]);
  });

  it.each(['refund.created', 'refund.updated'])(
    'is not read from %s, which has an amount but not of how much',
    (name) => {
      expect(read(name, { id: 're_1', status: 'succeeded', amount: 900, payment_intent: 'pi_1' })).toEqual([]);
    },
  );

  it.each(['refund.failed', 'refund.updated', 'charge.refund.updated'])('gives back when it fails, by %s', (name) => {
    const failed = { id: 're_1', status: 'failed', amount: 900, payment_intent: 'pi_1', charge: 'ch_1' };
    expect(read(name, failed)).toMatchObject([
      { kind: 'refund', refundId: 're_1', refund: { isGiven: false }, refs, paymentRefs: refs },
    ]);
    expect(read(name, { ...failed, status: 'pending' })).toEqual([]);
  });

  it.each<[string, string, object | null]>([
    ['charge.dispute.created', 'needs_response', { kind: 'disputed' }],
    ['charge.dispute.created', 'warning_needs_response', null],
    ['charge.dispute.updated', 'warning_under_review', null],
    ['charge.dispute.updated', 'needs_response', { kind: 'disputed' }],
    ['charge.dispute.funds_withdrawn', 'needs_response', { kind: 'disputed' }],
    ['charge.dispute.updated', 'won', null],
    ['charge.dispute.updated', 'lost', null],
    ['charge.dispute.closed', 'won', { kind: 'dispute_closed', isWon: true }],
    ['charge.dispute.closed', 'warning_closed', { kind: 'dispute_closed', isWon: true }],
    ['charge.dispute.closed', 'lost', { kind: 'dispute_closed', isWon: false }],
    ['charge.dispute.closed', 'something new', { kind: 'dispute_closed', isWon: true }],
    ['charge.dispute.closed', 'prevented', { kind: 'dispute_closed', isWon: true }],
    ['charge.dispute.funds_reinstated', 'won', { kind: 'dispute_closed', isWon: true }],
    ['charge.dispute.updated', 'prevented', null],
  ])('by %s of status %s', (name, status, expected) => {
    const known = { ...SILENT, at: AT, refs, paymentRefs: refs, disputeId: 'dp_1' };
    const facts = expected === null ? [] : [{ ...known, ...expected }];
    expect(read(name, { ...DISPUTE, status })).toEqual(facts);
    const isGiven = !name.endsWith('closed') && !name.endsWith('reinstated') ? true : status === 'lost';
    const takenBack = { by: 'dispute', id: 'dp_1', money: { value: 900, currency: 'EUR' }, isGiven };
    expect(read(name, { ...DISPUTE, status, amount: 900, currency: 'eur' })).toEqual(
      facts.map((fact) => ({ ...fact, takenBack })),
    );
  });
});

it('other events of Stripe mean nothing', () => {
  for (const name of ['', 'ping', 'customer.created', 'payment_intent.succeeded', 'constructor', '__proto__'])
    expect(read(name, { ...SESSION, ...SUBSCRIPTION })).toEqual([]);
});

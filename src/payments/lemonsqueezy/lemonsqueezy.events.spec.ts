import { describe, expect, it } from 'vitest';
import { interpretLemonSqueezy } from './lemonsqueezy.events.js';

const AT = new Date('2026-11-01T00:00:00Z');
const BILLED = new Date('2026-10-31T23:59:00Z');
const MONTH = new Date('2026-12-01T00:00:00Z');
const CUSTOM = { planId: 'plan-1' };
const read = (name: string, id: string, attributes: object) =>
  interpretLemonSqueezy(name, { id, attributes: attributes as Readonly<Record<string, unknown>>, custom: CUSTOM }, AT);

const ORDER = {
  created_at: BILLED.toISOString(),
  status: 'paid',
  user_email: 'Ada@Buyer.example',
  customer_id: 5,
  total: 900,
  refunded: false,
  refunded_amount: 0,
  first_order_item: { product_id: 20, variant_id: 30, price_id: 40 },
};
const SUBSCRIPTION = {
  status: 'active',
  order_id: 1,
  product_id: 20,
  variant_id: 30,
  customer_id: 5,
  user_email: 'ada@buyer.example',
  renews_at: MONTH.toISOString(),
  ends_at: null,
};
const INVOICE = {
  subscription_id: 9,
  customer_id: 5,
  user_email: 'ada@buyer.example',
  billing_reason: 'renewal',
  created_at: BILLED.toISOString(),
  status: 'paid',
  total: 900,
};
const SOLD_ITEMS = [{ productIds: ['30', '20'], quantity: 1, planId: null, isOnce: false }];
const KNOWN = {
  at: AT,
  paymentRefs: [],
  paymentMadeAt: null,
  customerId: '5',
  email: 'ada@buyer.example',
  buyerName: null,
  planId: 'plan-1',
  items: [],
  charged: [],
  claimToken: null,
  licenseId: null,
  recipient: null,
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
const OF_ORDER = { ...KNOWN, refs: ['order:1'], paymentRefs: ['order:1'], paymentMadeAt: BILLED, charged: SOLD_ITEMS };
const OF_INVOICE = {
  ...KNOWN,
  refs: ['subscription:9'],
  paymentRefs: ['invoice:77'],
  paymentMadeAt: BILLED,
};
const NAMES = ['subscription:9', 'order:1'];
/** The order has the money of the subscription's begin. */
const OF_SUBSCRIPTION = { ...KNOWN, refs: NAMES, moneyRefs: NAMES, items: SOLD_ITEMS };

describe('an order at Lemon Squeezy', () => {
  it('is a sale once it is paid', () => {
    expect(read('order_created', '1', ORDER)).toEqual([{ ...OF_ORDER, kind: 'purchased' }]);
    expect(read('order_created', '1', { ...ORDER, status: 'pending' })).toEqual([]);
  });

  it.each<[string, object, boolean]>([
    ['all', { refunded: true, refunded_amount: 900, status: 'refunded' }, true],
    ['all, of unknown amount', { refunded: true, refunded_amount: undefined, status: 'refunded' }, true],
    ['a part', { refunded: true, refunded_amount: 300, status: 'partial_refund' }, false],
    ['a part, of unknown amount', { refunded: true, refunded_amount: undefined, status: 'partial_refund' }, false],
    ['nothing', { refunded: false, refunded_amount: 0 }, false],
    ['nothing of nothing', { refunded: true, total: 0, refunded_amount: 0 }, false],
  ])('of which %s was refunded', (_, change, isFull) => {
    expect(read('order_refunded', '1', { ...ORDER, ...change })).toEqual(
      isFull ? [{ ...OF_ORDER, kind: 'refunded' }] : [],
    );
  });
});

describe('the money of an order at Lemon Squeezy', () => {
  const paid = {
    ...ORDER,
    currency: 'EUR',
    first_order_item: { ...ORDER.first_order_item, product_name: ' Tab  Keeper ' },
  };
  const money = (value: number) => ({ value, currency: 'EUR' });

  it('is what was paid, under the name of the product', () => {
    expect(read('order_created', '1', paid)).toMatchObject([{ money: money(900), productName: 'Tab Keeper' }]);
  });

  it.each([
    ['all', 900, 'refunded'],
    ['a part', 300, 'linked'],
  ])('is less once %s of it was refunded', (_, sum, kind) => {
    expect(read('order_refunded', '1', { ...paid, refunded_amount: sum })).toMatchObject([
      { kind, takenBack: { by: 'refund', id: null, money: money(sum), isGiven: true } },
    ]);
  });
});

describe('a link of Lemon Squeezy', () => {
  const pages = (name: string, id: string, attributes: object) =>
    read(name, id, attributes).map((fact) => fact.kind !== 'customer_seen' && [fact.receiptUrl, fact.portalUrl]);
  const receipt = 'https://app.lemonsqueezy.com/my-orders/1?signature=x';

  it('leads to the receipt of an order, to an invoice, and to the portal, which is kept without its signature', () => {
    const portal = 'https://shop.lemonsqueezy.com/billing?expires=1799000000&signature=x';
    expect(pages('order_created', '1', { ...ORDER, urls: { receipt } })).toEqual([[receipt, null]]);
    expect(pages('subscription_payment_success', '77', { ...INVOICE, urls: { invoice_url: receipt } })).toEqual([
      [receipt, null],
    ]);
    expect(pages('subscription_updated', '9', { ...SUBSCRIPTION, urls: { customer_portal: portal } })[0]).toEqual([
      null,
      'https://shop.lemonsqueezy.com/billing',
    ]);
  });

  it.each([undefined, null, 7, '', 'x', [receipt], { href: receipt }])('is none when it is %j', (urls) => {
    expect(pages('order_created', '1', { ...ORDER, urls })).toEqual([[null, null]]);
    expect(pages('order_created', '1', { ...ORDER, urls: { receipt: urls } })).toEqual([[null, null]]);
  });
});

describe('a subscription at Lemon Squeezy', () => {
  it('is sold with its order, and paid until it renews', () => {
    expect(read('subscription_created', '9', SUBSCRIPTION)).toEqual([
      { ...OF_SUBSCRIPTION, kind: 'purchased', periodEnd: MONTH },
      { ...OF_SUBSCRIPTION, kind: 'resumed' },
    ]);
  });

  it.each<[string, object, ...object[]]>([
    ['active', {}, { kind: 'renewed', periodEnd: MONTH }, { kind: 'resumed' }],
    ['on_trial', {}, { kind: 'renewed', periodEnd: MONTH }, { kind: 'resumed' }],
    ['past_due', {}, { kind: 'past_due' }],
    ['unpaid', {}, { kind: 'uncollected' }],
    ['paused', { pause: { mode: 'void' } }, { kind: 'paused' }],
    ['paused', { pause: { mode: 'free' } }, { kind: 'uncollected' }],
    ['paused', {}, { kind: 'paused' }],
    ['cancelled', { ends_at: MONTH.toISOString() }, { kind: 'cancelled', isOver: false, endsAt: MONTH }],
    ['expired', { ends_at: MONTH.toISOString() }, { kind: 'cancelled', isOver: true, endsAt: MONTH }],
    ['expired', {}, { kind: 'cancelled', isOver: true, endsAt: AT }],
  ])('of status %s has the same meaning in every event', (status, change, ...expected) => {
    for (const what of ['updated', 'plan_changed', 'cancelled', 'resumed', 'expired', 'paused', 'unpaused'])
      expect(read(`subscription_${what}`, '9', { ...SUBSCRIPTION, status, ...change })).toEqual(
        expected.map((fact) => ({ ...OF_SUBSCRIPTION, ...fact })),
      );
  });

  it('of an undocumented status means nothing', () => {
    expect(read('subscription_updated', '9', { ...SUBSCRIPTION, status: 'dormant' })).toEqual([]);
  });

  it.each([
    ['success', 'renewed'],
    ['recovered', 'renewed'],
    ['failed', 'past_due'],
  ])('with a payment that is a %s is %s', (what, kind) => {
    expect(read(`subscription_payment_${what}`, '77', INVOICE)).toEqual([{ ...OF_INVOICE, kind }]);
  });

  it.each(['initial', 'renewal', 'updated'])(
    'whose %s payment was refunded counts if it was refunded in full',
    (reason) => {
      const refunded = { ...INVOICE, billing_reason: reason, refunded: true, refunded_amount: 900 };
      const moneyRefs = reason === 'initial' ? ['subscription:9'] : null;
      expect(read('subscription_payment_refunded', '77', refunded)).toEqual([
        { ...OF_INVOICE, moneyRefs, kind: 'refunded' },
      ]);
      expect(read('subscription_payment_refunded', '77', { ...refunded, refunded_amount: 1 })).toEqual([]);
    },
  );
});

it('other events of Lemon Squeezy mean nothing, those about its own license keys included', () => {
  for (const name of ['', 'license_key_created', 'license_key_updated', 'constructor'])
    expect(read(name, '1', { ...ORDER, ...SUBSCRIPTION })).toEqual([]);
});

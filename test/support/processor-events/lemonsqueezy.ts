import type { Notification, Sale } from '../purchases.js';
import { isoOn, MONTH, type TestedProcessor, type SoldItem, type EventOptions } from './events.js';

const ITEM: SoldItem = { price: '30', product: '20', quantity: 1 };
const STORE = 'https://tabkeeper.lemonsqueezy.com';

/** Ids are numbers there: text in `id`, number in every reference. */
const numberOf = ({ tag }: Sale): number =>
  [...tag].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 10_000_000_000_000, 7);
const invoiceOf = (sale: Sale, month: number): string => String(numberOf(sale) * 100 + month);

const event = (sale: Sale, day: number, name: string, type: string, id: string, attributes: object): Notification => ({
  meta: {
    test_mode: false,
    event_name: name,
    custom_data: sale.planId === undefined ? undefined : { planId: sale.planId },
    webhook_id: `8b2f1c7e-${day}-${id}`,
  },
  data: {
    type,
    id,
    attributes: {
      store_id: 1,
      customer_id: numberOf(sale),
      user_name: 'Ada Buyer',
      user_email: sale.email ?? null,
      test_mode: false,
      created_at: isoOn(sale, 0),
      updated_at: isoOn(sale, day),
      ...attributes,
    },
    relationships: { store: { links: { related: `${STORE}/v1/${type}/${id}/store` } } },
    links: { self: `https://api.lemonsqueezy.com/v1/${type}/${id}` },
  },
});

const MONEY = {
  currency: 'EUR',
  currency_rate: '1.0',
  subtotal: 900,
  discount_total: 0,
  tax: 0,
  total: 900,
  subtotal_usd: 972,
  total_usd: 972,
  subtotal_formatted: '€9.00',
  total_formatted: '€9.00',
};

const itemIn = ({ items: [item = ITEM] = [] }: EventOptions): SoldItem => item;

const order = (sale: Sale, day: number, name: string, wish: EventOptions): Notification => {
  const { price, product, quantity } = itemIn(wish);
  return event(sale, day, name, 'orders', String(numberOf(sale)), {
    ...MONEY,
    identifier: `104e18a2-d755-4d4b-80c4-${numberOf(sale)}`,
    order_number: numberOf(sale),
    status: 'paid',
    status_formatted: 'Paid',
    refunded: false,
    refunded_at: null,
    refunded_amount: 0,
    first_order_item: {
      id: numberOf(sale),
      order_id: numberOf(sale),
      product_id: Number(product),
      variant_id: Number(price),
      price_id: 40,
      product_name: 'Tab Keeper',
      variant_name: 'Pro',
      price: 900,
      quantity,
      created_at: isoOn(sale, 0),
      updated_at: isoOn(sale, day),
      test_mode: false,
    },
    urls: { receipt: `https://app.lemonsqueezy.com/my-orders/${numberOf(sale)}?signature=${day}` },
    ...wish.with,
  });
};

const invoice = (sale: Sale, day: number, what: string, month: number, more: object = {}): Notification =>
  event(sale, day, `subscription_payment_${what}`, 'subscription-invoices', invoiceOf(sale, month), {
    ...MONEY,
    subscription_id: numberOf(sale),
    billing_reason: month === 1 ? 'initial' : 'renewal',
    card_brand: 'visa',
    card_last_four: '4242',
    status: 'paid',
    status_formatted: 'Paid',
    refunded: false,
    refunded_at: null,
    refunded_amount: 0,
    created_at: isoOn(sale, (month - 1) * MONTH),
    urls: {
      invoice_url: `https://app.lemonsqueezy.com/my-orders/${numberOf(sale)}/subscription-invoice/${invoiceOf(sale, month)}?signature=${day}`,
    },
    ...more,
  });

const subscriptionEvent = (sale: Sale, day: number, what: string, month: number, wish: EventOptions): Notification => {
  const { price, product, quantity } = itemIn(wish);
  return event(sale, day, `subscription_${what}`, 'subscriptions', String(numberOf(sale)), {
    order_id: numberOf(sale),
    order_item_id: numberOf(sale),
    product_id: Number(product),
    variant_id: Number(price),
    product_name: 'Tab Keeper',
    variant_name: 'Pro',
    status: 'active',
    status_formatted: 'Active',
    card_brand: 'visa',
    card_last_four: '4242',
    payment_processor: 'stripe',
    pause: null,
    cancelled: false,
    trial_ends_at: null,
    billing_anchor: 1,
    first_subscription_item: {
      id: numberOf(sale),
      subscription_id: numberOf(sale),
      price_id: 40,
      quantity,
      is_usage_based: false,
      created_at: isoOn(sale, 0),
      updated_at: isoOn(sale, day),
    },
    urls: {
      customer_portal: `${STORE}/billing?expires=1799000000&test_mode=0&user=${numberOf(sale)}&signature=${day}`,
      update_payment_method: `${STORE}/subscription/1/payment-details?expires=1799000000&signature=${day}`,
    },
    renews_at: isoOn(sale, month * MONTH),
    ends_at: null,
    ...wish.with,
  });
};

const refundedOn = (sale: Sale, day: number): object => ({
  status: 'refunded',
  refunded: true,
  refunded_at: isoOn(sale, day),
  refunded_amount: 900,
});

/** The invoice of a change of plan on a day, and its refund on a later one. */
export const changeOfPlan = (sale: Sale, day: number, refundDay: number): readonly [Notification, Notification] => {
  const change = { billing_reason: 'updated', created_at: isoOn(sale, day) };
  return [
    invoice(sale, day, 'success', 99, change),
    invoice(sale, refundDay, 'refunded', 99, { ...change, ...refundedOn(sale, refundDay) }),
  ];
};

export const lemonsqueezy: TestedProcessor = {
  sells: ['30'],
  items: ['30', '31', '32'].map((price) => ({ price, product: '20', quantity: 1 })),
  bag: { price: '91', product: '90', quantity: 1 },
  listedBy: 'price',
  fieldProduct: '501',
  ownerOf: ({ email }) => email,
  notSeen: ['payment_customer.email'],
  namesPeriodApart: true,
  linksOf: ({ tag }) => [`/my-orders/${tag}`, `//${tag}.lemonsqueezy.com/billing`],
  subscription: (sale, day, month, wish = {}) => subscriptionEvent(sale, day, 'updated', month, wish),
  paidMonth: (sale, month, wish = {}) =>
    month === 1
      ? [
          order(sale, 0, 'order_created', wish),
          subscriptionEvent(sale, 0, 'created', 1, wish),
          invoice(sale, 0, 'success', 1),
        ]
      : [
          invoice(sale, (month - 1) * MONTH, 'success', month),
          subscriptionEvent(sale, (month - 1) * MONTH, 'updated', month, wish),
        ],
  refundedMonth: (sale, month, day) => [
    ...(month === 1 ? [order(sale, day, 'order_refunded', { with: refundedOn(sale, day) })] : []),
    invoice(sale, day, 'refunded', month, refundedOn(sale, day)),
  ],
  ended: (sale, day, month) =>
    subscriptionEvent(sale, day, 'expired', month, { with: { status: 'expired', ends_at: isoOn(sale, day) } }),
  soldOnce: (sale, wish = {}) => [order(sale, 0, 'order_created', wish)],
};

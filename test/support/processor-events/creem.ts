import type { Notification, Sale } from '../purchases.js';
import { isoOn, MONTH, on, type TestedProcessor, type SoldItem, type EventOptions } from './events.js';

const ITEM: SoldItem = { price: 'pprice_1', product: 'prod_1', quantity: 1 };
const itemIn = ({ items: [item = ITEM] = [] }: EventOptions): SoldItem => item;

/** Times are milliseconds in the envelope and in transactions, and ISO 8601 elsewhere. */
const event = (sale: Sale, day: number, eventType: string, key: string, object: object): Notification => ({
  id: `evt_${eventType}_${day}_${key}_${sale.tag}`,
  eventType,
  created_at: on(sale, day).getTime(),
  object,
});

const stamped = (sale: Sale, day = 0): object => ({
  created_at: isoOn(sale, 0),
  updated_at: isoOn(sale, day),
  mode: 'prod',
});

const productOf = (sale: Sale, { product }: SoldItem, period = 'every-month'): object => ({
  id: product,
  object: 'product',
  name: 'Tab Keeper Pro',
  description: 'Tab Keeper Pro',
  image_url: null,
  price: 900,
  currency: 'EUR',
  billing_type: period === 'once' ? 'onetime' : 'recurring',
  billing_period: period,
  status: 'active',
  tax_mode: 'exclusive',
  tax_category: 'saas',
  default_success_url: '',
  ...stamped(sale),
});

const customerOf = (sale: Sale): object => ({
  id: `cust_${sale.tag}`,
  object: 'customer',
  email: sale.email ?? null,
  name: 'Ada Buyer',
  country: 'NL',
  ...stamped(sale),
});

const metadataOf = ({ planId }: Sale): object => (planId === undefined ? {} : { planId });

const orderOf = (sale: Sale, item: SoldItem, type: 'recurring' | 'onetime', more: object = {}): object => ({
  id: `ord_${sale.tag}`,
  object: 'order',
  customer: `cust_${sale.tag}`,
  product: item.product,
  transaction: `tran_1_${sale.tag}`,
  amount: 900,
  currency: 'EUR',
  sub_total: 900,
  tax_amount: 0,
  amount_due: 900,
  amount_paid: 900,
  status: 'paid',
  type,
  ...stamped(sale),
  ...more,
});

const subscriptionOf = (sale: Sale, day: number, month: number, status: string): object => ({
  id: `sub_${sale.tag}`,
  object: 'subscription',
  collection_method: 'charge_automatically',
  status,
  last_transaction_id: `tran_${month}_${sale.tag}`,
  last_transaction_date: isoOn(sale, (month - 1) * MONTH),
  next_transaction_date: isoOn(sale, month * MONTH),
  current_period_start_date: isoOn(sale, (month - 1) * MONTH),
  current_period_end_date: isoOn(sale, month * MONTH),
  canceled_at: null,
  ...stamped(sale, day),
  metadata: metadataOf(sale),
});

const transactionOf = (sale: Sale, month: number, subscription: string | null, more: object = {}): object => ({
  id: `tran_${month}_${sale.tag}`,
  object: 'transaction',
  amount: 900,
  amount_paid: 900,
  currency: 'EUR',
  type: subscription === null ? 'payment' : 'invoice',
  tax_country: 'NL',
  tax_amount: 0,
  status: 'paid',
  refunded_amount: null,
  order: `ord_${sale.tag}`,
  subscription,
  customer: `cust_${sale.tag}`,
  description: 'Subscription payment',
  period_start: on(sale, (month - 1) * MONTH).getTime(),
  period_end: on(sale, month * MONTH).getTime(),
  created_at: on(sale, (month - 1) * MONTH).getTime(),
  mode: 'prod',
  ...more,
});

const subscriptionEvent = (
  sale: Sale,
  day: number,
  what: string,
  month: number,
  { with: more, ...wish }: EventOptions & { readonly status?: string } = {},
): Notification => {
  const item = itemIn(wish);
  return event(sale, day, `subscription.${what}`, `${month}_${item.product}_${item.quantity}`, {
    ...subscriptionOf(sale, day, month, wish.status ?? 'active'),
    product: productOf(sale, item),
    customer: customerOf(sale),
    items: [
      {
        object: 'subscription_item',
        id: `sitem_${sale.tag}`,
        product_id: item.product,
        price_id: item.price,
        units: item.quantity,
        ...stamped(sale, day),
      },
    ],
    ...(what === 'paid' ? { last_transaction: transactionOf(sale, month, `sub_${sale.tag}`) } : {}),
    ...more,
  });
};

const checkout = (sale: Sale, isOnce: boolean, wish: EventOptions): Notification => {
  const item = itemIn(wish);
  return event(sale, 0, 'checkout.completed', item.product, {
    id: `ch_${sale.tag}`,
    object: 'checkout',
    request_id: `req_${sale.tag}`,
    order: orderOf(sale, item, isOnce ? 'onetime' : 'recurring'),
    product: productOf(sale, item, isOnce ? 'once' : 'every-month'),
    units: item.quantity,
    customer: customerOf(sale),
    ...(isOnce
      ? {}
      : {
          subscription: {
            ...subscriptionOf(sale, 0, 1, 'active'),
            product: item.product,
            customer: `cust_${sale.tag}`,
          },
        }),
    custom_fields: [],
    status: 'completed',
    metadata: metadataOf(sale),
    mode: 'prod',
    ...wish.with,
  });
};

/** All of the n-th payment goes back; of what is sold once, that of the sale. */
const refund = (sale: Sale, month: number, day: number, isOnce: boolean): Notification => {
  const subscription = isOnce ? null : `sub_${sale.tag}`;
  return event(sale, day, 'refund.created', String(month), {
    id: `ref_${month}_${sale.tag}`,
    object: 'refund',
    status: 'succeeded',
    refund_amount: 900,
    refund_currency: 'EUR',
    reason: 'requested_by_customer',
    transaction: transactionOf(sale, month, subscription, { status: 'refunded', refunded_amount: 900 }),
    ...(isOnce ? {} : { subscription: subscriptionOf(sale, day, month, 'active') }),
    checkout: { id: `ch_${sale.tag}`, object: 'checkout', status: 'completed', metadata: metadataOf(sale) },
    order: orderOf(sale, ITEM, isOnce ? 'onetime' : 'recurring'),
    customer: customerOf(sale),
    created_at: on(sale, day).getTime(),
    mode: 'prod',
  });
};

/** What is sold once and what a subscription paid first have the same transaction. */
export const creemRefund = (sale: Sale, day: number): readonly Notification[] => [refund(sale, 1, day, true)];

export const creemLife = (sale: Sale): readonly Notification[] => [
  checkout(sale, false, {}),
  subscriptionEvent(sale, 0, 'active', 1),
  subscriptionEvent(sale, 0, 'paid', 1),
  subscriptionEvent(sale, 30, 'update', 2),
  subscriptionEvent(sale, 30, 'paid', 2),
  subscriptionEvent(sale, 61, 'past_due', 3, { status: 'past_due' }),
  subscriptionEvent(sale, 63, 'paid', 3),
  subscriptionEvent(sale, 64, 'scheduled_cancel', 3, { status: 'scheduled_cancel' }),
];

/** The payment of a month in dispute; Creem does not report its end. */
export const creemDispute = (sale: Sale, day: number): Notification =>
  event(sale, day, 'dispute.created', '1', {
    id: `disp_${sale.tag}`,
    object: 'dispute',
    amount: 900,
    currency: 'EUR',
    transaction: transactionOf(sale, 1, null, { status: 'chargeback', refunded_amount: 900 }),
    order: orderOf(sale, ITEM, 'onetime'),
    customer: customerOf(sale),
    created_at: on(sale, day).getTime(),
    mode: 'prod',
  });

export const creem: TestedProcessor = {
  sells: ['prod_1'],
  items: ['1', '2', '3'].map((id) => ({ price: `pprice_${id}`, product: `prod_${id}`, quantity: 1 })),
  bag: { price: 'pprice_bag', product: 'prod_bag', quantity: 1 },
  listedBy: 'product',
  fieldProduct: 'prod_d1AY2Sadk9YAvLI0pj97f',
  ownerOf: () => 'API key',
  notSeen: ['payment_customer.email'],
  subscription: (sale, day, month, wish = {}) => subscriptionEvent(sale, day, 'update', month, wish),
  paidMonth: (sale, month, wish = {}) => {
    const day = (month - 1) * MONTH;
    return [
      ...(month === 1 ? [checkout(sale, false, { items: wish.items ?? [] })] : []),
      subscriptionEvent(sale, day, month === 1 ? 'active' : 'update', month, wish),
      subscriptionEvent(sale, day, 'paid', month, wish),
    ];
  },
  refundedMonth: (sale, month, day) => [refund(sale, month, day, false)],
  ended: (sale, day, month) =>
    subscriptionEvent(sale, day, 'canceled', month, { status: 'canceled', with: { canceled_at: isoOn(sale, day) } }),
  soldOnce: (sale, wish = {}) => [checkout(sale, true, wish)],
};

import type { Notification, Sale } from '../purchases.js';
import { isoOn, MONTH, type TestedProcessor, type SoldItem, type EventOptions } from './events.js';

const ITEM: SoldItem = { price: 'price-1', product: 'prod-1', quantity: 1 };
const itemIn = ({ items: [item = ITEM] = [] }: EventOptions): SoldItem => item;

const event = (sale: Sale, day: number, type: string, data: object): Notification => ({
  type,
  timestamp: isoOn(sale, day),
  data,
});

const stamped = (sale: Sale, day = 0): object => ({ created_at: isoOn(sale, 0), modified_at: isoOn(sale, day) });

const customerOf = (sale: Sale): object => ({
  id: `cust-${sale.tag}`,
  ...stamped(sale),
  metadata: {},
  external_id: null,
  email: sale.email ?? null,
  email_verified: true,
  name: 'Ada Buyer',
  type: 'individual',
  billing_name: 'Ada Buyer',
  billing_address: null,
  tax_id: null,
  locale: null,
  organization_id: 'org-1',
  default_payment_method_id: null,
  deleted_at: null,
  avatar_url: 'https://avatars.example/ada',
});

const priceOf = (sale: Sale, { price, product }: SoldItem): object => ({
  ...stamped(sale),
  id: price,
  source: 'catalog',
  amount_type: 'fixed',
  tax_behavior: null,
  price_currency: 'eur',
  is_archived: false,
  product_id: product,
  price_amount: 900,
});

const productOf = (sale: Sale, item: SoldItem): object => ({
  metadata: {},
  id: item.product,
  ...stamped(sale),
  name: 'Tab Keeper Pro',
  description: null,
  visibility: 'public',
  trial_interval: null,
  trial_interval_count: null,
  recurring_interval: 'month',
  recurring_interval_count: 1,
  meter_interval: null,
  meter_interval_count: null,
  is_recurring: true,
  is_archived: false,
  organization_id: 'org-1',
  prices: [priceOf(sale, item)],
  benefits: [],
  medias: [],
  attached_custom_fields: [],
});

/** Seats stand beside the subscription and the order, and are null where none are sold. */
const seatsOf = ({ quantity }: SoldItem): number | null => (quantity === 1 ? null : quantity);

const metadataOf = ({ planId }: Sale): object => (planId === undefined ? {} : { planId });

const core = (sale: Sale, day: number, month: number, item: SoldItem): object => ({
  ...stamped(sale, day),
  id: `sub-${sale.tag}`,
  amount: 900,
  currency: 'eur',
  recurring_interval: 'month',
  recurring_interval_count: 1,
  status: 'active',
  current_period_start: isoOn(sale, (month - 1) * MONTH),
  current_period_end: isoOn(sale, month * MONTH),
  current_meter_period_start: null,
  current_meter_period_end: null,
  trial_start: null,
  trial_end: null,
  cancel_at_period_end: false,
  canceled_at: null,
  started_at: isoOn(sale, 0),
  ends_at: null,
  ended_at: null,
  past_due_at: null,
  pause_at_period_end: false,
  paused_at: null,
  resumes_at: null,
  customer_id: `cust-${sale.tag}`,
  product_id: item.product,
  discount_id: null,
  checkout_id: `check-${sale.tag}`,
  seats: seatsOf(item),
  customer_cancellation_reason: null,
  customer_cancellation_comment: null,
  metadata: metadataOf(sale),
});

const subscriptionEvent = (sale: Sale, day: number, what: string, month: number, wish: EventOptions): Notification => {
  const item = itemIn(wish);
  return event(sale, day, `subscription.${what}`, {
    ...core(sale, day, month, item),
    custom_field_data: {},
    customer: customerOf(sale),
    product: productOf(sale, item),
    discount: null,
    prices: [priceOf(sale, item)],
    meters: [],
    pending_update: null,
    ...wish.with,
  });
};

const order = (sale: Sale, day: number, what: string, month: number | null, wish: EventOptions): Notification => {
  const item = itemIn(wish);
  const reason = month === null ? 'purchase' : month === 1 ? 'subscription_create' : 'subscription_cycle';
  return event(sale, day, `order.${what}`, {
    id: `ord-${month ?? 1}-${sale.tag}`,
    ...stamped(sale, day),
    status: 'paid',
    paid: true,
    subtotal_amount: 900,
    discount_amount: 0,
    net_amount: 900,
    tax_amount: 0,
    total_amount: 900,
    applied_balance_amount: 0,
    due_amount: 900,
    refunded_amount: 0,
    refunded_tax_amount: 0,
    refundable_amount: 900,
    refundable_tax_amount: 0,
    currency: 'eur',
    billing_reason: reason,
    billing_name: 'Ada Buyer',
    billing_address: null,
    invoice_number: `TK-${month ?? 1}`,
    is_invoice_generated: true,
    receipt_number: null,
    seats: seatsOf(item),
    customer_id: `cust-${sale.tag}`,
    product_id: item.product,
    discount_id: null,
    subscription_id: month === null ? null : `sub-${sale.tag}`,
    checkout_id: `check-${sale.tag}`,
    metadata: metadataOf(sale),
    custom_field_data: {},
    platform_fee_amount: 76,
    platform_fee_currency: 'eur',
    customer: customerOf(sale),
    product: productOf(sale, item),
    discount: null,
    subscription: month === null ? null : core(sale, day, month, item),
    items: [
      {
        ...stamped(sale, day),
        id: `item-${month ?? 1}-${sale.tag}`,
        label: 'Tab Keeper Pro',
        amount: 900,
        tax_amount: 0,
        proration: false,
        product_price_id: item.price,
      },
    ],
    description: 'Tab Keeper Pro',
    ...wish.with,
  });
};

export const polar: TestedProcessor = {
  sells: ['prod-1'],
  items: ['1', '2', '3'].map((id) => ({ price: `price-${id}`, product: `prod-${id}`, quantity: 1 })),
  bag: { price: 'price-bag', product: 'prod-bag', quantity: 1 },
  listedBy: 'product',
  fieldProduct: 'b1a7c0de-0000-4000-8000-000000000001',
  ownerOf: ({ accountId }) => accountId,
  notSeen: [],
  customerUpdate: (sale, data) => ({
    type: 'customer.updated',
    timestamp: isoOn(sale, 0),
    data: { id: `cust-${sale.tag}`, ...data },
  }),
  subscription: (sale, day, month, wish = {}) => subscriptionEvent(sale, day, 'updated', month, wish),
  paidMonth: (sale, month, wish = {}) => [
    subscriptionEvent(sale, (month - 1) * MONTH, month === 1 ? 'created' : 'cycled', month, wish),
    order(sale, (month - 1) * MONTH, 'paid', month, wish),
  ],
  refundedMonth: (sale, month, day) => [
    order(sale, day, 'refunded', month, {
      with: { status: 'refunded', refunded_amount: 900, refundable_amount: 0 },
    }),
    event(sale, day, 'refund.created', {
      ...stamped(sale, day),
      id: `ref-${month}-${sale.tag}`,
      metadata: {},
      status: 'succeeded',
      reason: 'customer_request',
      amount: 900,
      tax_amount: 0,
      currency: 'eur',
      organization_id: 'org-1',
      order_id: `ord-${month}-${sale.tag}`,
      subscription_id: `sub-${sale.tag}`,
      customer_id: `cust-${sale.tag}`,
      revoke_benefits: false,
      dispute: null,
    }),
  ],
  ended: (sale, day, month) =>
    subscriptionEvent(sale, day, 'revoked', month, { with: { status: 'canceled', ended_at: isoOn(sale, day) } }),
  soldOnce: (sale, wish = {}) => [order(sale, 0, 'paid', null, wish)],
};

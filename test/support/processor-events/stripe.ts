import type { Notification, Sale } from '../purchases.js';
import { MONTH, unixOn, type TestedProcessor, type SoldItem, type EventOptions } from './events.js';

const ITEMS: readonly SoldItem[] = [{ price: 'price_1', product: 'prod_1', quantity: 1 }];
const CENTS = 900;
const list = (url: string, data: readonly object[]): object => ({ object: 'list', data, has_more: false, url });

const event = (sale: Sale, day: number, type: string, object: Readonly<Record<string, unknown>>): Notification => ({
  id: `evt_${type}_${day}_${String(object['id'])}`,
  object: 'event',
  api_version: '2026-10-28.dahlia',
  created: unixOn(sale, day),
  data: { object },
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});

const priceOf = (sale: Sale, { price, product }: SoldItem, recurring: object | null): object => ({
  id: price,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: unixOn(sale, -100),
  currency: 'eur',
  custom_unit_amount: null,
  livemode: true,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product,
  recurring,
  tax_behavior: 'inclusive',
  tiers_mode: null,
  transform_quantity: null,
  type: recurring === null ? 'one_time' : 'recurring',
  unit_amount: CENTS,
  unit_amount_decimal: String(CENTS),
});

const MONTHLY = { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' };

const lineOf = (sale: Sale, invoice: string, item: SoldItem, at: number, month: number | null): object => ({
  id: `il_${at}_${invoice}`,
  object: 'line_item',
  amount: CENTS * item.quantity,
  currency: 'eur',
  description: `${item.quantity} × ${item.product} (at €9.00 / month)`,
  discount_amounts: [],
  discountable: true,
  discounts: [],
  invoice,
  livemode: true,
  metadata: {},
  parent:
    month === null || item.isOnce === true
      ? { invoice_item_details: { invoice_item: `ii_${at}`, proration: false }, type: 'invoice_item_details' }
      : {
          invoice_item_details: null,
          subscription_item_details: {
            invoice_item: null,
            proration: false,
            proration_details: { credited_items: null },
            subscription: `sub_${sale.tag}`,
            subscription_item: `si_${at}_${sale.tag}`,
          },
          type: 'subscription_item_details',
        },
  period: {
    start: unixOn(sale, ((month ?? 1) - 1) * MONTH),
    end: unixOn(sale, month === null ? 0 : (month - 1 + (item.months ?? 1)) * MONTH),
  },
  pretax_credit_amounts: [],
  pricing: {
    price_details: { price: item.price, product: item.product },
    type: 'price_details',
    unit_amount_decimal: String(CENTS),
  },
  quantity: item.quantity,
  taxes: [],
});

function invoice(sale: Sale, month: number | null, { items = ITEMS, with: more }: EventOptions) {
  const id = `in_${month ?? 'once'}_${sale.tag}`;
  const sum = items.reduce((total, { quantity }) => total + CENTS * quantity, 0);
  const at = unixOn(sale, ((month ?? 1) - 1) * MONTH);
  return {
    id,
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Tab Keeper',
    amount_due: sum,
    amount_paid: sum,
    amount_remaining: 0,
    attempt_count: 1,
    attempted: true,
    auto_advance: false,
    billing_reason: month === null ? 'manual' : month === 1 ? 'subscription_create' : 'subscription_cycle',
    collection_method: 'charge_automatically',
    created: at,
    currency: 'eur',
    customer: `cus_${sale.tag}`,
    customer_email: sale.email ?? null,
    customer_name: 'Ada Buyer',
    default_payment_method: null,
    discounts: [],
    hosted_invoice_url: `https://invoice.stripe.com/i/acct_1/live_${id}?s=ap`,
    invoice_pdf: `https://pay.stripe.com/invoice/acct_1/live_${id}/pdf?s=ap`,
    lines: list(
      `/v1/invoices/${id}/lines`,
      items.map((item, index) => lineOf(sale, id, item, index, month)),
    ),
    livemode: true,
    metadata: {},
    number: `TK-${month ?? 0}`,
    parent:
      month === null
        ? null
        : {
            quote_details: null,
            subscription_details: { metadata: metadataOf(sale), subscription: `sub_${sale.tag}` },
            type: 'subscription_details',
          },
    period_end: at,
    period_start: at,
    status: 'paid',
    status_transitions: { finalized_at: at, paid_at: at, marked_uncollectible_at: null, voided_at: null },
    subtotal: sum,
    total: sum,
    ...more,
  };
}

const metadataOf = ({ planId }: Sale): object => (planId === undefined ? {} : { planId });

const invoicePayment = (sale: Sale, month: number): Notification => {
  const at = unixOn(sale, (month - 1) * MONTH);
  return event(sale, (month - 1) * MONTH, 'invoice_payment.paid', {
    id: `inpay_${month}_${sale.tag}`,
    object: 'invoice_payment',
    amount_paid: CENTS,
    amount_requested: CENTS,
    created: at,
    currency: 'eur',
    invoice: `in_${month}_${sale.tag}`,
    is_default: true,
    livemode: true,
    payment: { payment_intent: `pi_${month}_${sale.tag}`, type: 'payment_intent' },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: at },
  });
};

const session = (sale: Sale, more: Readonly<Record<string, unknown>>): Notification =>
  event(sale, 0, 'checkout.session.completed', {
    id: `cs_live_${sale.tag}`,
    object: 'checkout.session',
    allow_promotion_codes: null,
    amount_subtotal: CENTS,
    amount_total: CENTS,
    client_reference_id: null,
    created: unixOn(sale, 0),
    currency: 'eur',
    customer: `cus_${sale.tag}`,
    customer_details: { address: null, email: sale.email ?? null, name: 'Ada Buyer', phone: null, tax_exempt: 'none' },
    customer_email: null,
    expires_at: unixOn(sale, 1),
    livemode: true,
    locale: 'auto',
    metadata: metadataOf(sale),
    payment_link: null,
    payment_method_types: ['card'],
    payment_status: 'paid',
    status: 'complete',
    ...more,
  });

/** After how many months the period of an item began that goes on in a month. */
const begunIn = ({ months = 1 }: SoldItem, month: number): number => Math.floor((month - 1) / months) * months;

function subscriptionObject(sale: Sale, month: number, { items = ITEMS, with: more }: EventOptions) {
  return {
    id: `sub_${sale.tag}`,
    object: 'subscription',
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: unixOn(sale, 0),
    billing_mode: { type: 'flexible' },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: unixOn(sale, 0),
    currency: 'eur',
    customer: `cus_${sale.tag}`,
    ended_at: null,
    items: list(
      `/v1/subscription_items?subscription=sub_${sale.tag}`,
      items
        .filter(({ isOnce }) => isOnce !== true)
        .map((item, index) => ({
          id: `si_${index}_${sale.tag}`,
          object: 'subscription_item',
          billing_thresholds: null,
          created: unixOn(sale, 0),
          current_period_end: unixOn(sale, (begunIn(item, month) + (item.months ?? 1)) * MONTH),
          current_period_start: unixOn(sale, begunIn(item, month) * MONTH),
          discounts: [],
          metadata: {},
          price: priceOf(sale, item, MONTHLY),
          quantity: item.quantity,
          subscription: `sub_${sale.tag}`,
          tax_rates: [],
        })),
    ),
    latest_invoice: `in_${month}_${sale.tag}`,
    livemode: true,
    metadata: metadataOf(sale),
    pause_collection: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: unixOn(sale, 0),
    status: 'active',
    trial_end: null,
    trial_start: null,
    ...more,
  };
}

export const stripe: TestedProcessor = {
  sells: ['price_1', 'plink_1'],
  items: ['1', '2', '3'].map((id) => ({ price: `price_${id}`, product: `prod_${id}`, quantity: 1 })),
  bag: { price: 'price_bag', product: 'prod_bag', quantity: 1 },
  listedBy: 'price',
  fieldProduct: 'price_pro',
  ownerOf: ({ accountId }) => accountId,
  notSeen: ['payment_customer.email'],
  linksOf: ({ tag }) => [`invoice.stripe.com/i/acct_1/live_3_${tag}`],
  customerUpdate: (sale, data) => ({
    id: `evt_c_${sale.tag}`,
    type: 'customer.updated',
    created: unixOn(sale, 0),
    data: { object: { id: `cus_${sale.tag}`, ...data } },
  }),
  subscription: (sale, day, month, wish = {}) =>
    event(sale, day, 'customer.subscription.updated', subscriptionObject(sale, month, wish)),
  paidMonth: (sale, month, wish = {}) => [
    ...(month === 1
      ? [
          session(sale, {
            mode: 'subscription',
            subscription: `sub_${sale.tag}`,
            invoice: `in_1_${sale.tag}`,
            payment_intent: null,
          }),
        ]
      : []),
    stripe.subscription(sale, (month - 1) * MONTH, month, wish),
    event(sale, (month - 1) * MONTH, 'invoice.paid', invoice(sale, month, wish)),
    invoicePayment(sale, month),
  ],
  refundedMonth: (sale, month, day) => [
    event(sale, day, 'charge.refunded', {
      id: `ch_${month}_${sale.tag}`,
      object: 'charge',
      amount: CENTS,
      amount_captured: CENTS,
      amount_refunded: CENTS,
      balance_transaction: `txn_${month}_${sale.tag}`,
      captured: true,
      created: unixOn(sale, (month - 1) * MONTH),
      currency: 'eur',
      customer: `cus_${sale.tag}`,
      disputed: false,
      livemode: true,
      metadata: {},
      paid: true,
      payment_intent: `pi_${month}_${sale.tag}`,
      payment_method: `pm_${sale.tag}`,
      receipt_email: sale.email ?? null,
      receipt_url: `https://pay.stripe.com/receipts/payment/ch_${month}_${sale.tag}`,
      refunded: true,
      status: 'succeeded',
    }),
  ],
  ended: (sale, day, month) =>
    event(
      sale,
      day,
      'customer.subscription.deleted',
      subscriptionObject(sale, month, { with: { status: 'canceled', ended_at: unixOn(sale, day) } }),
    ),
  soldOnce: (sale, wish = {}) => [
    session(sale, {
      mode: 'payment',
      payment_intent: `pi_1_${sale.tag}`,
      invoice: `in_once_${sale.tag}`,
      subscription: null,
    }),
    event(sale, 0, 'invoice.paid', invoice(sale, null, wish)),
  ],
};

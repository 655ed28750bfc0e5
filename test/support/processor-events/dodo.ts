import type { Notification, Sale } from '../purchases.js';
import { isoOn, MONTH, type TestedProcessor, type SoldItem, type EventOptions } from './events.js';

const ITEM: SoldItem = { price: 'pdt_1', product: 'pdt_1', quantity: 1 };
const itemIn = ({ items: [item = ITEM] = [] }: EventOptions): SoldItem => item;

const event = (sale: Sale, day: number, type: string, data: object): Notification => ({
  business_id: 'bus_H4ekzPSlcg',
  type,
  timestamp: isoOn(sale, day),
  data,
});

const customerOf = (sale: Sale): object => ({
  customer_id: `cus_${sale.tag}`,
  email: sale.email ?? null,
  name: 'Ada Buyer',
  metadata: {},
  phone_number: null,
});

/** What stands in payments and subscriptions. */
const common = (sale: Sale, day: number): object => ({
  billing: { city: 'Amsterdam', country: 'NL', state: 'NH', street: 'Dam 1', zipcode: '1012' },
  brand_id: 'bus_H4ekzPSlcg',
  business_id: 'bus_H4ekzPSlcg',
  created_at: isoOn(sale, day),
  currency: 'EUR',
  customer: customerOf(sale),
  discount_id: null,
  discounts: null,
  metadata: sale.planId === undefined ? {} : { planId: sale.planId },
});

const payment = (
  sale: Sale,
  day: number,
  number: number,
  wish: EventOptions & { readonly subscription?: string | null },
): Notification => {
  const { product, quantity } = itemIn(wish);
  const { subscription = `sub_${sale.tag}` } = wish;
  return event(sale, day, 'payment.succeeded', {
    payload_type: 'Payment',
    ...common(sale, day),
    payment_id: `pay_${number}_${sale.tag}`,
    subscription_id: subscription,
    checkout_session_id: number === 1 ? `cks_${sale.tag}` : null,
    product_cart: subscription === null ? [{ product_id: product, quantity }] : null,
    status: 'succeeded',
    total_amount: 900,
    tax: 0,
    settlement_amount: 972,
    settlement_currency: 'USD',
    settlement_tax: 0,
    payment_provider: 'dodo',
    payment_method: 'card',
    payment_method_type: 'credit',
    payment_link: 'https://checkout.dodopayments.com/cbq',
    invoice_id: `inv_${number}_${sale.tag}`,
    invoice_url: `https://live.dodopayments.com/invoices/payments/pay_${number}_${sale.tag}`,
    is_update_payment_method: false,
    retry_attempt: 0,
    card_last_four: '4242',
    card_network: 'VISA',
    card_type: 'CREDIT',
    card_issuing_country: 'NL',
    digital_products_delivered: false,
    disputes: [],
    refunds: [],
    refund_status: null,
    error_code: null,
    error_message: null,
    updated_at: null,
    ...wish.with,
  });
};

const subscriptionEvent = (
  sale: Sale,
  day: number,
  what: string,
  month: number,
  { with: more, ...wish }: EventOptions = {},
): Notification => {
  const { product, quantity } = itemIn(wish);
  return event(sale, day, `subscription.${what}`, {
    payload_type: 'Subscription',
    ...common(sale, 0),
    subscription_id: `sub_${sale.tag}`,
    product_id: product,
    quantity,
    status: 'active',
    addons: [],
    meters: [],
    on_demand: false,
    recurring_pre_tax_amount: 900,
    tax_inclusive: true,
    previous_billing_date: isoOn(sale, (month - 1) * MONTH),
    next_billing_date: isoOn(sale, month * MONTH),
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    subscription_period_count: 10,
    subscription_period_interval: 'Year',
    trial_period_days: 0,
    cancel_at_next_billing_date: false,
    cancelled_at: null,
    expires_at: isoOn(sale, 3650),
    paused_at: null,
    scheduled_change: null,
    ...more,
  });
};

const refund = (sale: Sale, number: number, day: number): Notification =>
  event(sale, day, 'refund.succeeded', {
    payload_type: 'Refund',
    refund_id: `ref_${number}_${sale.tag}`,
    payment_id: `pay_${number}_${sale.tag}`,
    brand_id: 'bus_H4ekzPSlcg',
    business_id: 'bus_H4ekzPSlcg',
    created_at: isoOn(sale, day),
    customer: customerOf(sale),
    amount: 900,
    currency: 'EUR',
    is_partial: false,
    metadata: {},
    reason: 'requested by the buyer',
    status: 'succeeded',
  });

/** What is sold once and what a subscription paid first have the same number. */
export const dodoRefund = (sale: Sale, day: number): readonly Notification[] => [refund(sale, 1, day)];

export const dodoLife = (sale: Sale): readonly Notification[] => [
  payment(sale, 0, 1, {}),
  subscriptionEvent(sale, 0, 'active', 1),
  payment(sale, 30, 2, {}),
  subscriptionEvent(sale, 30, 'renewed', 2),
  subscriptionEvent(sale, 61, 'on_hold', 3, { with: { status: 'on_hold' } }),
  payment(sale, 63, 3, {}),
  subscriptionEvent(sale, 63, 'active', 3),
  subscriptionEvent(sale, 63, 'renewed', 3),
  subscriptionEvent(sale, 64, 'updated', 3, { with: { cancel_at_next_billing_date: true } }),
];

/** A dispute of the first payment, as it stands on a day. */
export const dodoDispute = (sale: Sale, day: number, what: string, stage = 'dispute'): Notification =>
  event(sale, day, `dispute.${what}`, {
    payload_type: 'Dispute',
    dispute_id: `dis_${sale.tag}`,
    payment_id: `pay_1_${sale.tag}`,
    business_id: 'bus_H4ekzPSlcg',
    amount: '9.00',
    currency: 'EUR',
    created_at: isoOn(sale, day),
    dispute_stage: stage,
    dispute_status: `dispute_${what}`,
    is_resolved_by_rdr: false,
    remarks: null,
  });

export const dodo: TestedProcessor = {
  sells: ['pdt_1'],
  items: ['1', '2', '3'].map((id) => ({ price: `pdt_${id}`, product: `pdt_${id}`, quantity: 1 })),
  bag: { price: 'pdt_bag', product: 'pdt_bag', quantity: 1 },
  listedBy: 'product',
  fieldProduct: 'pdt_e9mUw084cWnu0tz',
  ownerOf: () => 'Seller',
  notSeen: ['payment_customer.email'],
  namesPeriodApart: true,
  linksOf: ({ tag }) => [`/invoices/payments/pay_1_${tag}`],
  subscription: (sale, day, month, wish = {}) => subscriptionEvent(sale, day, 'updated', month, wish),
  paidMonth: (sale, month, wish = {}) => {
    const day = (month - 1) * MONTH;
    return [
      payment(sale, day, month, {}),
      subscriptionEvent(sale, day, month === 1 ? 'active' : 'renewed', month, wish),
    ];
  },
  refundedMonth: (sale, month, day) => [refund(sale, month, day)],
  ended: (sale, day, month) =>
    subscriptionEvent(sale, day, 'cancelled', month, {
      with: { status: 'cancelled', cancelled_at: isoOn(sale, day), next_billing_date: isoOn(sale, day) },
    }),
  soldOnce: (sale, wish = {}) => [payment(sale, 0, 1, { ...wish, subscription: null })],
};

import type { ProcessorId } from '../../src/payments/index.js';
import { creem, creemLife, creemRefund } from './processor-events/creem.js';
import { dodo, dodoLife, dodoRefund } from './processor-events/dodo.js';

/** One notification of a processor, as JSON. */
export type Notification = Readonly<Record<string, unknown>>;

/** The sale whose events a test asks for. */
export interface Sale {
  /** Ends every id, so that two sales never meet. */
  readonly tag: string;
  readonly email?: string;
  readonly planId?: string;
  /** When it was sold. */
  readonly at: Date;
}

const DAY_MS = 86_400_000;

/** The moments of a life, in days after the sale: a month is 30 days. */
const after = (sale: Sale, days: number): Date => new Date(sale.at.getTime() + days * DAY_MS);
const unix = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The life of a subscription: sold, renewed once, a payment failed and made good, then cancelled for the end of its third month. */
export const subscriptionLife = (processor: ProcessorId, sale: Sale): readonly Notification[] => LIVES[processor](sale);

/** All the money of the sale itself going back: of a subscription, what its first period cost. */
export const fullRefund = (processor: ProcessorId, sale: Sale): readonly Notification[] => REFUNDS[processor](sale);

/** The same event, delivered again later under an id of its own. */
export const late = ({ id, event_id: eventId, ...notification }: Notification): Notification => ({
  ...notification,
  ...(typeof id === 'string' ? { id: `${id}_late` } : {}),
  ...(typeof eventId === 'string' ? { event_id: `${eventId}_late` } : {}),
  delivery: 'late',
});

/** Something sold once and for ever. */
export const oneOffSale = (processor: ProcessorId, sale: Sale): readonly Notification[] => ONCE[processor](sale);

const stripe = (sale: Sale, days: number, type: string, object: object): Notification => ({
  id: `evt_${type}_${days}_${sale.tag}`,
  object: 'event',
  type,
  created: unix(after(sale, days)),
  livemode: true,
  data: { object },
});

const stripeSubscription = (sale: Sale, status: string, endDay: number, more: object = {}): object => ({
  id: `sub_${sale.tag}`,
  status,
  customer: `cus_${sale.tag}`,
  items: { data: [{ price: { id: 'price_1', product: 'prod_1' }, current_period_end: unix(after(sale, endDay)) }] },
  cancel_at_period_end: false,
  metadata: {},
  ...more,
});

const stripeInvoice = (sale: Sale, number: number, reason: string, endDay: number): object => ({
  id: `in_${number}_${sale.tag}`,
  billing_reason: reason,
  customer: `cus_${sale.tag}`,
  customer_email: sale.email ?? null,
  hosted_invoice_url: `https://invoice.stripe.com/i/acct_1/live_${number}_${sale.tag}?s=ap`,
  parent: { subscription_details: { subscription: `sub_${sale.tag}`, metadata: { planId: sale.planId } } },
  lines: {
    data: [
      {
        amount: 900,
        pricing: { price_details: { price: 'price_1', product: 'prod_1' } },
        period: { end: unix(after(sale, endDay)) },
      },
    ],
  },
});

const stripeSession = (sale: Sale, more: object): object => ({
  id: `cs_${sale.tag}`,
  payment_status: 'paid',
  customer_details: { email: sale.email ?? null },
  customer: `cus_${sale.tag}`,
  metadata: { planId: sale.planId },
  ...more,
});

const paddle = (sale: Sale, days: number, type: string, data: object): Notification => ({
  event_id: `evt_${type}_${days}_${sale.tag}`,
  notification_id: `ntf_${days}_${sale.tag}`,
  event_type: type,
  occurred_at: after(sale, days).toISOString(),
  data,
});

const paddleItems = [{ quantity: 1, price: { id: 'pri_1', product_id: 'pro_1', custom_data: null } }];

const paddleTransaction = (sale: Sale, number: number, origin: string, endDay: number | null): object => ({
  id: `txn_${number}_${sale.tag}`,
  origin,
  customer_id: `ctm_${sale.tag}`,
  subscription_id: endDay === null ? null : `sub_${sale.tag}`,
  items: paddleItems,
  custom_data: sale.planId === undefined ? null : { planId: sale.planId },
  billing_period: endDay === null ? null : { ends_at: after(sale, endDay).toISOString() },
});

const paddleSubscription = (sale: Sale, status: string, endDay: number, more: object = {}): object => ({
  id: `sub_${sale.tag}`,
  status,
  customer_id: `ctm_${sale.tag}`,
  items: paddleItems,
  custom_data: null,
  scheduled_change: null,
  current_billing_period: { ends_at: after(sale, endDay).toISOString() },
  ...more,
});

const paddleCustomer = (sale: Sale): Notification =>
  paddle(sale, 0, 'customer.created', { id: `ctm_${sale.tag}`, email: sale.email ?? null });

const squeezed = (sale: Sale, days: number, name: string, type: string, attributes: object): Notification => ({
  meta: { event_name: name, custom_data: { planId: sale.planId }, test_mode: false },
  data: {
    type,
    id: `${type}-${sale.tag}`,
    attributes: {
      customer_id: `5-${sale.tag}`,
      user_email: sale.email ?? null,
      test_mode: false,
      updated_at: after(sale, days).toISOString(),
      ...attributes,
    },
  },
});

const squeezedOrder = (sale: Sale, days: number, name: string, more: object = {}): Notification =>
  squeezed(sale, days, name, 'orders', {
    status: 'paid',
    total: 900,
    refunded: false,
    refunded_amount: 0,
    first_order_item: { product_id: 20, variant_id: 30, price_id: 40 },
    urls: { receipt: `https://app.lemonsqueezy.com/my-orders/${sale.tag}?signature=x` },
    ...more,
  });

const squeezedSubscription = (
  sale: Sale,
  days: number,
  name: string,
  status: string,
  renewDay: number,
  more: object = {},
): Notification =>
  squeezed(sale, days, `subscription_${name}`, 'subscriptions', {
    status,
    order_id: `orders-${sale.tag}`,
    product_id: 20,
    variant_id: 30,
    renews_at: after(sale, renewDay).toISOString(),
    ends_at: null,
    urls: { customer_portal: `https://${sale.tag}.lemonsqueezy.com/billing?expires=1799000000&signature=x` },
    ...more,
  });

/** Its id and its time are those of the bill, which may be paid days later. */
const squeezedInvoice = (sale: Sale, days: number, name: string, billed = days): Notification => {
  const { meta, data } = squeezed(sale, days, `subscription_payment_${name}`, 'subscription-invoices', {
    subscription_id: `subscriptions-${sale.tag}`,
    billing_reason: billed === 0 ? 'initial' : 'renewal',
    created_at: after(sale, billed).toISOString(),
    total: 900,
  });
  return { meta, data: { ...(data as object), id: `invoice-${billed}-${sale.tag}` } };
};

const polar = (sale: Sale, days: number, type: string, data: object): Notification => ({
  type,
  timestamp: after(sale, days).toISOString(),
  data,
});

const polarOrder = (sale: Sale, number: number, reason: string, endDay: number | null, more: object = {}): object => ({
  id: `ord-${number}-${sale.tag}`,
  status: 'paid',
  billing_reason: reason,
  customer_id: `cust-${sale.tag}`,
  customer: { id: `cust-${sale.tag}`, email: sale.email ?? null },
  product_id: 'prod-1',
  items: [{ product_price_id: 'price-1' }],
  subscription_id: endDay === null ? null : `sub-${sale.tag}`,
  subscription: endDay === null ? null : { current_period_end: after(sale, endDay).toISOString() },
  metadata: sale.planId === undefined ? {} : { planId: sale.planId },
  ...more,
});

const polarSubscription = (sale: Sale, status: string, endDay: number, more: object = {}): object => ({
  id: `sub-${sale.tag}`,
  status,
  customer_id: `cust-${sale.tag}`,
  customer: { id: `cust-${sale.tag}`, email: sale.email ?? null },
  product_id: 'prod-1',
  current_period_end: after(sale, endDay).toISOString(),
  cancel_at_period_end: false,
  metadata: {},
  ...more,
});

type Life = (sale: Sale) => readonly Notification[];

const LIVES: Readonly<Record<ProcessorId, Life>> = {
  stripe: (sale) => [
    stripe(sale, 0, 'customer.subscription.created', stripeSubscription(sale, 'incomplete', 30)),
    stripe(
      sale,
      0,
      'checkout.session.completed',
      stripeSession(sale, { mode: 'subscription', subscription: `sub_${sale.tag}` }),
    ),
    stripe(sale, 0, 'invoice.paid', stripeInvoice(sale, 1, 'subscription_create', 30)),
    stripe(sale, 0, 'invoice_payment.paid', {
      invoice: `in_1_${sale.tag}`,
      payment: { payment_intent: `pi_${sale.tag}` },
    }),
    stripe(sale, 30, 'customer.subscription.updated', stripeSubscription(sale, 'active', 60)),
    stripe(sale, 30, 'invoice.paid', stripeInvoice(sale, 2, 'subscription_cycle', 60)),
    stripe(sale, 60, 'invoice.payment_failed', stripeInvoice(sale, 3, 'subscription_cycle', 90)),
    stripe(sale, 61, 'customer.subscription.updated', stripeSubscription(sale, 'past_due', 90)),
    stripe(sale, 63, 'invoice.paid', stripeInvoice(sale, 3, 'subscription_cycle', 90)),
    stripe(
      sale,
      64,
      'customer.subscription.updated',
      stripeSubscription(sale, 'active', 90, { cancel_at_period_end: true }),
    ),
  ],
  paddle: (sale) => [
    paddleCustomer(sale),
    paddle(
      sale,
      0,
      'subscription.created',
      paddleSubscription(sale, 'active', 30, { transaction_id: `txn_1_${sale.tag}` }),
    ),
    paddle(sale, 0, 'transaction.completed', paddleTransaction(sale, 1, 'web', 30)),
    paddle(sale, 30, 'subscription.updated', paddleSubscription(sale, 'active', 60)),
    paddle(sale, 30, 'transaction.completed', paddleTransaction(sale, 2, 'subscription_recurring', 60)),
    paddle(sale, 60, 'transaction.payment_failed', paddleTransaction(sale, 3, 'subscription_recurring', 90)),
    paddle(sale, 61, 'subscription.past_due', paddleSubscription(sale, 'past_due', 90)),
    paddle(sale, 63, 'transaction.completed', paddleTransaction(sale, 3, 'subscription_recurring', 90)),
    paddle(
      sale,
      64,
      'subscription.updated',
      paddleSubscription(sale, 'active', 90, {
        scheduled_change: { action: 'cancel', effective_at: after(sale, 90).toISOString() },
      }),
    ),
  ],
  lemonsqueezy: (sale) => [
    squeezedOrder(sale, 0, 'order_created'),
    squeezedSubscription(sale, 0, 'created', 'active', 30),
    squeezedInvoice(sale, 0, 'success'),
    squeezedInvoice(sale, 30, 'success'),
    squeezedSubscription(sale, 30, 'updated', 'active', 60),
    squeezedInvoice(sale, 60, 'failed'),
    squeezedSubscription(sale, 61, 'updated', 'past_due', 90),
    squeezedInvoice(sale, 63, 'success', 60),
    squeezedInvoice(sale, 63, 'recovered', 60),
    squeezedSubscription(sale, 63, 'updated', 'active', 90),
    squeezedSubscription(sale, 64, 'cancelled', 'cancelled', 90, { ends_at: after(sale, 90).toISOString() }),
  ],
  polar: (sale) => [
    polar(sale, 0, 'subscription.created', polarSubscription(sale, 'active', 30)),
    polar(sale, 0, 'order.paid', polarOrder(sale, 1, 'subscription_create', 30)),
    polar(sale, 30, 'subscription.cycled', polarSubscription(sale, 'active', 60)),
    polar(sale, 30, 'order.paid', polarOrder(sale, 2, 'subscription_cycle', 60)),
    polar(sale, 60, 'subscription.cycled', polarSubscription(sale, 'active', 90)),
    polar(sale, 61, 'subscription.past_due', polarSubscription(sale, 'past_due', 90)),
    polar(sale, 63, 'order.paid', polarOrder(sale, 3, 'subscription_cycle', 90)),
    polar(sale, 64, 'subscription.canceled', polarSubscription(sale, 'active', 90, { cancel_at_period_end: true })),
  ],
  creem: creemLife,
  dodo: dodoLife,
};

const REFUNDS: Readonly<Record<ProcessorId, Life>> = {
  stripe: (sale) => [
    stripe(sale, 65, 'charge.refunded', { id: `ch_${sale.tag}`, payment_intent: `pi_${sale.tag}`, refunded: true }),
  ],
  paddle: (sale) => [
    paddle(sale, 65, 'adjustment.updated', {
      action: 'refund',
      type: 'full',
      status: 'approved',
      transaction_id: `txn_1_${sale.tag}`,
      subscription_id: null,
    }),
  ],
  lemonsqueezy: (sale) => [
    squeezedOrder(sale, 65, 'order_refunded', { status: 'refunded', refunded: true, refunded_amount: 900 }),
  ],
  polar: (sale) => [polar(sale, 65, 'order.refunded', polarOrder(sale, 1, 'purchase', null, { status: 'refunded' }))],
  creem: (sale) => creemRefund(sale, 65),
  dodo: (sale) => dodoRefund(sale, 65),
};

const ONCE: Readonly<Record<ProcessorId, Life>> = {
  stripe: (sale) => [
    stripe(
      sale,
      0,
      'checkout.session.completed',
      stripeSession(sale, { mode: 'payment', payment_intent: `pi_${sale.tag}`, payment_link: 'plink_1' }),
    ),
  ],
  paddle: (sale) => [
    paddleCustomer(sale),
    paddle(sale, 0, 'transaction.completed', paddleTransaction(sale, 1, 'web', null)),
  ],
  lemonsqueezy: (sale) => [squeezedOrder(sale, 0, 'order_created')],
  polar: (sale) => [polar(sale, 0, 'order.paid', polarOrder(sale, 1, 'purchase', null))],
  creem: (sale) => creem.soldOnce(sale),
  dodo: (sale) => dodo.soldOnce(sale),
};

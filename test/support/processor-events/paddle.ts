import type { Notification, Sale } from '../purchases.js';
import { isoOn, MONTH, type TestedProcessor, type SoldItem, type EventOptions } from './events.js';

const ITEMS: readonly SoldItem[] = [{ price: 'pri_1', product: 'pro_1', quantity: 1 }];
const CENTS = '900';

const event = (sale: Sale, day: number, type: string, data: Readonly<Record<string, unknown>>): Notification => ({
  event_id: `evt_${type}_${day}_${String(data['id'])}`,
  event_type: type,
  occurred_at: isoOn(sale, day),
  notification_id: `ntf_${type}_${day}_${String(data['id'])}`,
  data,
});

const priceOf = (sale: Sale, { price, product }: SoldItem, isRecurring: boolean): object => ({
  id: price,
  product_id: product,
  type: 'standard',
  description: 'Pro',
  name: 'Pro (per seat)',
  billing_cycle: isRecurring ? { interval: 'month', frequency: 1 } : null,
  trial_period: null,
  tax_mode: 'account_setting',
  unit_price: { amount: CENTS, currency_code: 'EUR' },
  unit_price_overrides: [],
  custom_data: null,
  status: 'active',
  quantity: { minimum: 1, maximum: 999 },
  import_meta: null,
  created_at: isoOn(sale, -100),
  updated_at: isoOn(sale, -100),
});

const customer = (sale: Sale): Notification =>
  event(sale, 0, 'customer.created', {
    id: `ctm_${sale.tag}`,
    name: 'Ada Buyer',
    email: sale.email ?? null,
    marketing_consent: false,
    status: 'active',
    custom_data: null,
    locale: 'en',
    created_at: isoOn(sale, 0),
    updated_at: isoOn(sale, 0),
    import_meta: null,
  });

const customDataOf = ({ planId }: Sale): object | null => (planId === undefined ? null : { planId });

function transaction(sale: Sale, month: number | null, { items = ITEMS, with: more }: EventOptions): Notification {
  const day = ((month ?? 1) - 1) * MONTH;
  const period = month === null ? null : { starts_at: isoOn(sale, day), ends_at: isoOn(sale, month * MONTH) };
  const totals = { subtotal: CENTS, discount: '0', tax: '0', total: CENTS };
  return event(sale, day, 'transaction.completed', {
    id: `txn_${month ?? 1}_${sale.tag}`,
    status: 'completed',
    customer_id: `ctm_${sale.tag}`,
    address_id: `add_${sale.tag}`,
    business_id: null,
    custom_data: customDataOf(sale),
    currency_code: 'EUR',
    origin: month === null || month === 1 ? 'web' : 'subscription_recurring',
    subscription_id: month === null ? null : `sub_${sale.tag}`,
    invoice_id: `inv_${month ?? 1}_${sale.tag}`,
    invoice_number: `74-${month ?? 1}`,
    collection_mode: 'automatic',
    discount_id: null,
    billing_details: null,
    billing_period: period,
    items: items.map((item) => ({
      price: priceOf(sale, item, month !== null && item.isOnce !== true),
      price_id: item.price,
      quantity: item.quantity,
      proration: null,
    })),
    details: {
      tax_rates_used: [{ tax_rate: '0', totals }],
      totals: {
        ...totals,
        credit: '0',
        credit_to_balance: '0',
        balance: '0',
        grand_total: CENTS,
        grand_total_tax: '0',
        fee: '95',
        earnings: '805',
        currency_code: 'EUR',
        exchange_rate: '1',
      },
      adjusted_totals: { ...totals, grand_total: CENTS, fee: '95', earnings: '805', currency_code: 'EUR' },
      payout_totals: null,
      adjusted_payout_totals: null,
      line_items: items.map((item, index) => ({
        id: `txnitm_${index}_${month ?? 1}_${sale.tag}`,
        price_id: item.price,
        quantity: item.quantity,
        totals,
        unit_totals: totals,
        tax_rate: '0',
        proration: null,
        product: null,
      })),
    },
    payments: [
      {
        amount: CENTS,
        status: 'captured',
        created_at: isoOn(sale, day),
        captured_at: isoOn(sale, day),
        error_code: null,
        method_details: {
          type: 'card',
          card: { type: 'visa', last4: '4242', expiry_year: 2030, expiry_month: 1, cardholder_name: 'Ada Buyer' },
        },
      },
    ],
    checkout: { url: 'https://tabkeeper.example/pay' },
    created_at: isoOn(sale, day),
    updated_at: isoOn(sale, day),
    billed_at: isoOn(sale, day),
    revised_at: null,
    ...more,
  });
}

function subscriptionObject(sale: Sale, month: number, { items = ITEMS, with: more }: EventOptions) {
  return {
    id: `sub_${sale.tag}`,
    status: 'active',
    customer_id: `ctm_${sale.tag}`,
    address_id: `add_${sale.tag}`,
    business_id: null,
    currency_code: 'EUR',
    created_at: isoOn(sale, 0),
    updated_at: isoOn(sale, (month - 1) * MONTH),
    started_at: isoOn(sale, 0),
    first_billed_at: isoOn(sale, 0),
    next_billed_at: isoOn(sale, month * MONTH),
    paused_at: null,
    canceled_at: null,
    discount: null,
    collection_mode: 'automatic',
    billing_details: null,
    current_billing_period: { starts_at: isoOn(sale, (month - 1) * MONTH), ends_at: isoOn(sale, month * MONTH) },
    billing_cycle: { interval: 'month', frequency: 1 },
    scheduled_change: null,
    items: items
      .filter(({ isOnce }) => isOnce !== true)
      .map((item) => ({
        status: 'active',
        quantity: item.quantity,
        recurring: true,
        created_at: isoOn(sale, 0),
        updated_at: isoOn(sale, 0),
        previously_billed_at: isoOn(sale, (month - 1) * MONTH),
        next_billed_at: isoOn(sale, month * MONTH),
        trial_dates: null,
        price: priceOf(sale, item, true),
        product: null,
      })),
    custom_data: customDataOf(sale),
    import_meta: null,
    ...more,
  };
}

export const paddle: TestedProcessor = {
  sells: ['pri_1'],
  items: ['1', '2', '3'].map((id) => ({ price: `pri_${id}`, product: `pro_${id}`, quantity: 1 })),
  bag: { price: 'pri_bag', product: 'pro_bag', quantity: 1 },
  listedBy: 'price',
  fieldProduct: 'pri_pro',
  ownerOf: ({ credentials }) => `apikey_${credentials.apiKey.split('_')[3]}`,
  notSeen: [],
  customerUpdate: (sale, data) => ({
    event_id: `evt_c_${sale.tag}`,
    event_type: 'customer.updated',
    occurred_at: isoOn(sale, 0),
    data: { id: `ctm_${sale.tag}`, ...data },
  }),
  subscription: (sale, day, month, wish = {}) =>
    event(sale, day, 'subscription.updated', subscriptionObject(sale, month, wish)),
  paidMonth: (sale, month, wish = {}) => [
    ...(month === 1 ? [customer(sale)] : []),
    paddle.subscription(sale, (month - 1) * MONTH, month, wish),
    transaction(sale, month, wish),
  ],
  refundedMonth: (sale, month, day) => [
    event(sale, day, 'adjustment.updated', {
      id: `adj_${month}_${sale.tag}`,
      action: 'refund',
      type: 'full',
      transaction_id: `txn_${month}_${sale.tag}`,
      subscription_id: `sub_${sale.tag}`,
      customer_id: `ctm_${sale.tag}`,
      reason: 'Asked for it',
      credit_applied_to_balance: null,
      currency_code: 'EUR',
      status: 'approved',
      items: [
        {
          id: `adjitm_${month}_${sale.tag}`,
          item_id: `txnitm_0_${month}_${sale.tag}`,
          type: 'full',
          amount: CENTS,
          proration: null,
          totals: { subtotal: CENTS, tax: '0', total: CENTS },
        },
      ],
      totals: { subtotal: CENTS, tax: '0', total: CENTS, fee: '0', earnings: '900', currency_code: 'EUR' },
      payout_totals: null,
      tax_rates_used: [],
      created_at: isoOn(sale, day),
      updated_at: isoOn(sale, day),
    }),
  ],
  ended: (sale, day, month) =>
    event(
      sale,
      day,
      'subscription.canceled',
      subscriptionObject(sale, month, { with: { status: 'canceled', canceled_at: isoOn(sale, day) } }),
    ),
  soldOnce: (sale, wish = {}) => [customer(sale), transaction(sale, null, wish)],
};

import {
  customerSeen,
  customDataOf,
  type EventReader,
  idOf,
  idsOf,
  itemOf,
  moneyOf,
  nameOf,
  type Payload,
  purchaseDetails,
  recordsOf,
  refsOf,
  takenBackOf,
  timeOf,
  valueAt,
} from '../payload.js';
import type { PurchaseDetails, Item, PaymentFact } from '../payment-fact.js';

/** Facts of a Paddle event: src/payments/README.md#events. @param data `data` */
export function interpretPaddle(name: string, data: Payload, at: Date): readonly PaymentFact[] {
  return EVENT_READERS.get(name)?.(data, at) ?? [];
}

/** Meaning of a completed transaction, by its `origin`; other origins sell nothing that a license is for. */
const COMPLETED: ReadonlyMap<unknown, 'purchased' | 'renewed' | 'sold_once'> = new Map([
  ['web', 'purchased'],
  ['api', 'purchased'],
  ['subscription_recurring', 'renewed'],
  ['subscription_update', 'renewed'],
  // https://developer.paddle.com/build/subscriptions/bill-add-one-time-charge
  ['subscription_charge', 'sold_once'],
]);

const completed: EventReader = (data, at) => {
  const kind = COMPLETED.get(data['origin']);
  const periodStart = timeOf(valueAt(data, 'billing_period', 'starts_at'));
  const periodEnd = timeOf(valueAt(data, 'billing_period', 'ends_at'));
  const total = amountOf(
    valueAt(data, 'details', 'totals', 'grand_total') ?? valueAt(data, 'details', 'totals', 'total'),
  );
  const known = purchaseDetails({
    ...purchaseDetailsIn(data, at),
    charged: data['origin'] === 'subscription_update' ? [] : itemsIn(data),
    refs: transactionRefs(data),
    paymentRefs: refsOf({ transaction: data['id'] }),
    periodStart,
    periodEnd,
    money: moneyOf(total, data['currency_code']),
    total,
    lines: linesIn(data),
    // Paddle asks self-service buyers for no other name.
    buyerName: nameOf(valueAt(recordsOf(data['payments'])[0], 'method_details', 'card', 'cardholder_name')),
  });
  return kind === undefined || known.refs.length === 0 ? [] : [{ kind, ...known }];
};

const unpaid: EventReader = (data, at) =>
  // A first payment that fails is not a sale.
  idOf(data['subscription_id']) === null
    ? []
    : [{ kind: 'past_due', ...purchaseDetailsIn(data, at), refs: transactionRefs(data) }];

const subscription: EventReader = (data, at) => {
  const refs = refsOf({ subscription: data['id'], transaction: data['transaction_id'] });
  const periodStart = timeOf(valueAt(data, 'current_billing_period', 'starts_at'));
  const periodEnd = timeOf(valueAt(data, 'current_billing_period', 'ends_at'));
  return refs.length === 0
    ? []
    : subscriptionFactsOf(
        data,
        purchaseDetails({ ...purchaseDetailsIn(data, at), items: itemsIn(data), refs, periodStart, periodEnd }),
      );
};

/** A subscription that the seller moved to Paddle: its current period was paid elsewhere (https://developer.paddle.com/migrate/start/port-data). */
const imported: EventReader = (data, at) =>
  subscription(data, at).flatMap((fact): readonly PaymentFact[] =>
    fact.kind === 'resumed' ? [{ ...fact, kind: 'renewed' }, fact] : [fact],
  );

/** A refund or a chargeback. A credit changes nothing. */
const adjustment: EventReader = (data, at) => {
  const { action, status } = data;
  const disputeId = `transaction:${idOf(data['transaction_id'])}`;
  const isReversed = action === 'chargeback_reverse' || status === 'reversed';
  const [by, id] = action === 'refund' ? (['refund', idOf(data['id'])] as const) : (['dispute', disputeId] as const);
  const money = moneyOf(amountOf(valueAt(data, 'totals', 'total')), data['currency_code']);
  const known = purchaseDetails({
    at,
    refs: transactionRefs({ ...data, id: data['transaction_id'] }),
    paymentRefs: refsOf({ transaction: data['transaction_id'] }),
    takenBack: takenBackOf(by, money, { id, isGiven: !isReversed }),
  });
  if (known.refs.length === 0) return [];
  if (action === 'refund') return refund(data, known);
  if (isReversed && action !== 'chargeback_warning' && String(action).startsWith('chargeback'))
    return [{ kind: 'dispute_closed', disputeId, isWon: true, ...known }];
  return action === 'chargeback' && status === 'approved' ? [{ kind: 'disputed', disputeId, ...known }] : [];
};

const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['transaction.completed', completed],
  ['transaction.payment_failed', unpaid],
  ['transaction.past_due', unpaid],
  ...['created', 'activated', 'trialing', 'updated', 'paused', 'resumed', 'past_due', 'canceled'].map(
    (what): [string, EventReader] => [`subscription.${what}`, subscription],
  ),
  ['subscription.imported', imported],
  ['customer.created', customerSeen],
  ['customer.updated', customerSeen],
  ['customer.imported', customerSeen],
  ['adjustment.created', adjustment],
  ['adjustment.updated', adjustment],
]);

/** The events to enable at Paddle: all that can change a license. */
export const PADDLE_EVENTS: readonly string[] = [...EVENT_READERS.keys()];

function subscriptionFactsOf(data: Payload, known: PurchaseDetails): readonly PaymentFact[] {
  switch (data['status']) {
    case 'active':
    case 'trialing': {
      const isEnding = valueAt(data, 'scheduled_change', 'action') === 'cancel';
      const endsAt = timeOf(valueAt(data, 'scheduled_change', 'effective_at')) ?? known.periodEnd;
      return isEnding ? [{ kind: 'cancelled', isOver: false, ...known, endsAt }] : [{ kind: 'resumed', ...known }];
    }
    case 'past_due':
      return [{ kind: 'past_due', ...known }];
    case 'paused':
      return [{ kind: 'paused', ...known }];
    case 'canceled':
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: timeOf(data['canceled_at']) ?? known.at }];
    default:
      return [];
  }
}

/** Details of the sale from a transaction or subscription. It has an e-mail address only in the seller's own data. */
const purchaseDetailsIn = (data: Payload, at: Date): PurchaseDetails =>
  purchaseDetails({
    ...customDataOf(data['custom_data']),
    at,
    refs: [],
    customerId: idOf(data['customer_id']),
    productName: productNameIn(data),
  });

/** A transaction names products in its lines, a subscription in its items. */
function productNameIn(data: Payload): string | null {
  const [line] = recordsOf(valueAt(data, 'details', 'line_items'));
  const [item] = recordsOf(data['items']);
  return nameOf(valueAt(line, 'product', 'name')) ?? nameOf(valueAt(item, 'product', 'name'));
}

const itemsIn = (data: Payload): readonly Item[] =>
  recordsOf(data['items']).flatMap((item) =>
    itemOf(idsOf(valueAt(item, 'price', 'id'), valueAt(item, 'price', 'product_id')), item['quantity'], {
      planId: customDataOf(valueAt(item, 'price', 'custom_data')).planId,
      isOnce: valueAt(item, 'price', 'billing_cycle') === null,
    }),
  );

const transactionRefs = (data: Payload): readonly string[] =>
  refsOf({ transaction: data['id'], subscription: data['subscription_id'] });

/** Refunds of a part can add up to all of a transaction (https://developer.paddle.com/build/transactions/create-transaction-adjustments). */
function refund(data: Payload, known: PurchaseDetails): readonly PaymentFact[] {
  const refundId = idOf(data['id']);
  const isGiven = data['status'] === 'approved';
  if (isGiven && isFull(data)) return [{ kind: 'refunded', ...known }];
  if (refundId === null || !(isGiven || data['status'] === 'reversed')) return [];
  const lines = Object.fromEntries(
    recordsOf(data['items']).flatMap((item): [string, number | null][] => {
      const line = idOf(item['item_id']);
      return line === null ? [] : [[line, item['type'] === 'full' ? null : (amountOf(item['amount']) ?? 0)]];
    }),
  );
  const amount = amountOf(valueAt(data, 'totals', 'total'));
  return [{ kind: 'refund', refundId, refund: { amount, isGiven, leavesAccess: false, lines }, ...known }];
}

/** Events from before `type` was added have it only on each item. */
function isFull(data: Payload): boolean {
  if (data['type'] !== undefined) return data['type'] === 'full';
  const items = recordsOf(data['items']);
  return items.length > 0 && items.every((item) => item['type'] === 'full');
}

/** Returns the price of each line of a transaction, by the id that adjustments name. */
const linesIn = (data: Payload): PurchaseDetails['lines'] =>
  Object.fromEntries(
    recordsOf(valueAt(data, 'details', 'line_items')).flatMap((line) => {
      const [id, productId] = [idOf(line['id']), idOf(line['price_id'])];
      const total = amountOf(valueAt(line, 'totals', 'total'));
      return id === null || productId === null || total === null ? [] : [[id, { productId, total }]];
    }),
  );

/** An amount in the smallest unit of its currency, which Paddle writes as text. */
const amountOf = (value: unknown): number | null =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null;

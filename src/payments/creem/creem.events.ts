import { asNumber } from '../../common/net/pure.js';
import { DAY_MS } from '../../common/system/index.js';
import {
  countryOf,
  customDataOf,
  emailOf,
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

/** Facts of a Creem event: src/payments/README.md#events. @param object `object` */
export function interpretCreem(name: string, object: Payload, at: Date): readonly PaymentFact[] {
  return EVENT_READERS.get(name)?.(object, at) ?? [];
}

/**
 * A checkout that was paid (https://docs.creem.io/code/webhooks). Of a subscription it names no period: only its ids and what the seller put
 * into it count, and `subscription.paid` is the sale.
 */
const checkoutCompleted: EventReader = (data, at) => {
  const order = valueAt(data, 'order');
  const subscriptionId = idOf(data['subscription']);
  const refs = refsOf({
    session: data['id'],
    order,
    transaction: valueAt(order, 'transaction'),
    subscription: subscriptionId,
  });
  const known = { ...purchaseDetailsIn(data, at), refs };
  if (refs.length === 0) return [];
  if (subscriptionId !== null || valueAt(order, 'type') === 'recurring') return [{ kind: 'linked', ...known }];
  // Absent at a price of nothing (inferred).
  if ((valueAt(order, 'status') ?? 'paid') !== 'paid') return [];
  return [
    {
      kind: 'purchased',
      ...known,
      paymentRefs: refsOf({ order, transaction: valueAt(order, 'transaction') }),
      charged: itemOf(idsOf(data['product'], valueAt(order, 'product')), data['units']),
      money: moneyOf(valueAt(order, 'amount_paid') ?? valueAt(order, 'amount'), valueAt(order, 'currency')),
    },
  ];
};

/** A period was paid for, the first one included. */
const subscriptionPaid: EventReader = (data, at) => {
  const known = subscriptionIn(data, at);
  const transaction = valueAt(data, 'last_transaction');
  const transactionId = idOf(data['last_transaction_id']) ?? idOf(transaction);
  if (known.refs.length === 0) return [];
  return [
    {
      kind: isFirstPeriod(data, known) ? 'purchased' : 'renewed',
      ...known,
      refs: [...known.refs, ...refsOf({ transaction: transactionId })],
      paymentRefs: refsOf({ transaction: transactionId }),
      money: moneyOf(valueAt(transaction, 'amount_paid'), valueAt(transaction, 'currency')),
    },
  ];
};

/** Nothing says which payment is the first; a subscription is created in the period that it pays for (inferred from the samples of the documents). */
function isFirstPeriod(data: Payload, { periodStart }: PurchaseDetails): boolean {
  const created = timeOf(data['created_at']);
  return created !== null && periodStart !== null && created.getTime() + DAY_MS >= periodStart.getTime();
}

/** The subscription as it stands. */
const subscription: EventReader = (data, at) => {
  const known = subscriptionIn(data, at);
  return known.refs.length === 0 ? [] : subscriptionFactsOf(data['status'], known, data);
};

/** A trial is a sale without a payment (https://docs.creem.io/features/trials). */
const subscriptionTrialing: EventReader = (data, at) =>
  subscription(data, at).flatMap((fact): readonly PaymentFact[] =>
    fact.kind === 'resumed' ? [{ ...fact, kind: 'purchased' }, fact] : [fact],
  );

/**
 * The period ended without a payment. The status may still read `active` (the sample of https://docs.creem.io/code/webhooks); Creem's own
 * library takes access away (https://docs.creem.io/code/sdks/typescript-wrapper), and a retry that succeeds gives it back.
 */
const subscriptionExpired: EventReader = (data, at) => subscription({ ...data, status: 'expired' }, at);

/**
 * A refund. The transaction sums up all of its refunds, so it says whether everything went back; its statuses are those of
 * https://docs.creem.io/api-reference/endpoint/get-transaction. That a refund of a subscription's payment ends its period is inferred.
 */
const refundCreated: EventReader = (data, at) => {
  const refundId = idOf(data['id']);
  const isGiven = data['status'] === 'succeeded';
  const money = moneyOf(data['refund_amount'], data['refund_currency']);
  const known = { ...ofTransaction(data, at), takenBack: takenBackOf('refund', money, { id: refundId, isGiven }) };
  if (refundId === null || known.refs.length === 0) return [];
  switch (data['status']) {
    case 'succeeded':
      if (isRefundedInFull(valueAt(data, 'transaction'))) return [{ kind: 'refunded', ...known }];
      break;
    case 'failed':
    case 'canceled':
      break;
    default:
      return [];
  }
  const amount = asNumber(data['refund_amount']) ?? null;
  return [{ kind: 'refund', refundId, refund: { amount, isGiven, leavesAccess: false, lines: {} }, ...known }];
};

/** A dispute; Creem does not report how it ends (https://docs.creem.io/code/webhooks lists no such event). */
const disputeCreated: EventReader = (data, at) => {
  const disputeId = idOf(data['id']);
  const takenBack = takenBackOf('dispute', moneyOf(data['amount'], data['currency']), { id: disputeId });
  const known = { ...ofTransaction(data, at), takenBack };
  return disputeId === null || known.refs.length === 0 ? [] : [{ kind: 'disputed', disputeId, ...known }];
};

const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['checkout.completed', checkoutCompleted],
  ['subscription.paid', subscriptionPaid],
  ['subscription.trialing', subscriptionTrialing],
  ...['active', 'update', 'scheduled_cancel', 'past_due', 'unpaid', 'paused', 'canceled'].map(
    (what): [string, EventReader] => [`subscription.${what}`, subscription],
  ),
  ['subscription.expired', subscriptionExpired],
  ['refund.created', refundCreated],
  ['dispute.created', disputeCreated],
]);

/** The events to enable at Creem: all that can change a license. */
export const CREEM_EVENTS: readonly string[] = [...EVENT_READERS.keys()];

/** https://docs.creem.io/features/subscriptions/introduction, and /refunds-and-cancellations for unpaid and ended ones. */
function subscriptionFactsOf(status: unknown, known: PurchaseDetails, data: Payload): readonly PaymentFact[] {
  switch (status) {
    case 'active':
    case 'trialing':
      return [{ kind: 'resumed', ...known }];
    case 'scheduled_cancel':
      return [{ kind: 'cancelled', isOver: false, ...known, endsAt: known.periodEnd }];
    case 'past_due':
    case 'unpaid':
      return [{ kind: 'past_due', ...known }];
    case 'paused':
    case 'expired':
      return [{ kind: 'paused', ...known }];
    case 'canceled':
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: timeOf(data['canceled_at']) ?? known.at }];
    default:
      return [];
  }
}

const subscriptionIn = (data: Payload, at: Date): PurchaseDetails => ({
  ...purchaseDetailsIn(data, at),
  refs: refsOf({ subscription: data['id'] }),
  items: itemsIn(data),
  periodStart: timeOf(data['current_period_start_date']),
  periodEnd: timeOf(data['current_period_end_date']),
});

/** The seller's metadata and the customer stand in every object of a sale. */
function purchaseDetailsIn(data: Payload, at: Date): PurchaseDetails {
  const custom = customDataOf(data['metadata'] ?? valueAt(data, 'subscription', 'metadata'));
  const email = emailOf(valueAt(data, 'customer', 'email'), custom.email);
  return purchaseDetails({
    ...custom,
    at,
    refs: [],
    customerId: idOf(data['customer']),
    email,
    buyerName: nameOf(valueAt(data, 'customer', 'name')),
    country: countryOf(valueAt(data, 'customer', 'country')),
    productName: nameOf(valueAt(data, 'product', 'name')),
  });
}

/** The items with their seats (https://docs.creem.io/features/seat-based-billing), or the product where an event lists none. */
function itemsIn(data: Payload): readonly Item[] {
  const items = recordsOf(data['items']).flatMap((item) =>
    itemOf(idsOf(item['price_id'], item['product_id']), item['units']),
  );
  return items.length > 0 ? items : itemOf(idsOf(data['product']), 1);
}

/** The payment of a refund or a dispute. An order stands for the payment where it is the only one, and not of a subscription. */
function ofTransaction(data: Payload, at: Date): PurchaseDetails {
  const transaction = valueAt(data, 'transaction');
  const order = idOf(data['order']) ?? idOf(valueAt(transaction, 'order'));
  const subscriptionId = idOf(data['subscription']) ?? idOf(valueAt(transaction, 'subscription'));
  return purchaseDetails({
    at,
    refs: refsOf({ order, transaction, subscription: subscriptionId }),
    paymentRefs: refsOf({ ...(subscriptionId === null ? { order } : {}), transaction }),
  });
}

function isRefundedInFull(transaction: unknown): boolean {
  const [refunded, paid] = [valueAt(transaction, 'refunded_amount'), valueAt(transaction, 'amount_paid')].map(asNumber);
  if (refunded !== undefined && paid !== undefined) return refunded > 0 && refunded >= paid;
  return valueAt(transaction, 'status') === 'refunded';
}

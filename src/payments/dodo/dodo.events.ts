import { asNumber, asText } from '../../common/net/pure.js';
import { DAY_MS } from '../../common/system/index.js';
import {
  countryOf,
  customDataOf,
  emailOf,
  type EventReader,
  idOf,
  idsOf,
  itemOf,
  linkOn,
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
import type { PurchaseDetails, PaymentFact } from '../payment-fact.js';

/** Of the invoices of both modes: https://docs.dodopayments.com/api-reference/payments/get-invoice */
const HOSTS = '.dodopayments.com';

/** Facts of a Dodo Payments event: src/payments/README.md#events. @param data `data` */
export function interpretDodo(name: string, data: Payload, at: Date): readonly PaymentFact[] {
  return EVENT_READERS.get(name)?.(data, at) ?? [];
}

/**
 * A payment (https://docs.dodopayments.com/developer-resources/webhooks/intents/payment). That of a subscription names neither product nor
 * period: its date determines the period that it paid for, which `subscription.active` and `subscription.renewed` name.
 */
const paymentSucceeded: EventReader = (data, at) => {
  const subscriptionId = idOf(data['subscription_id']);
  const refs = refsOf({
    payment: data['payment_id'],
    session: data['checkout_session_id'],
    subscription: subscriptionId,
  });
  // Of nothing, to save another card.
  if (refs.length === 0 || data['is_update_payment_method'] === true) return [];
  const known = {
    ...purchaseDetailsIn(data, at),
    refs,
    paymentRefs: refsOf({ payment: data['payment_id'] }),
    money: moneyOf(data['total_amount'], data['currency']),
    total: asNumber(data['total_amount']) ?? null,
    receiptUrl: linkOn(HOSTS, data['invoice_url'])?.href ?? null,
  };
  if (subscriptionId !== null) return [{ kind: 'linked', ...known, paymentMadeAt: timeOf(data['created_at']) ?? at }];
  const charged = recordsOf(data['product_cart']).flatMap((item) =>
    itemOf(idsOf(item['product_id']), item['quantity']),
  );
  return [{ kind: 'purchased', ...known, charged }];
};

/** The subscription as it stands (https://docs.dodopayments.com/developer-resources/webhooks/intents/subscription). */
const subscription: EventReader = (data, at) => {
  const known = subscriptionIn(data, at);
  return known.refs.length === 0 ? [] : subscriptionFactsOf(data, known);
};

/**
 * A period was paid for, or a trial began. The event carries the subscription as of its delivery (https://docs.dodopayments.com/developer-resources/webhooks),
 * which may have been cancelled since.
 */
const subscriptionPaid: EventReader = (data, at) => {
  const known = subscriptionIn(data, at);
  const isPaid = data['status'] === 'active' || data['status'] === 'cancelled';
  const kind = isFirstPeriod(data, known) ? 'purchased' : 'renewed';
  if (!isPaid || known.refs.length === 0 || known.periodEnd === null) return subscription(data, at);
  return [{ kind, ...known }, ...subscription(data, at)];
};

/** `subscription.active` also says that a payment after a failed one was made good; only the first period begins when the subscription does. */
function isFirstPeriod(data: Payload, { periodStart }: PurchaseDetails): boolean {
  const created = timeOf(data['created_at']);
  return created === null || periodStart === null || created.getTime() + DAY_MS >= periodStart.getTime();
}

/**
 * A refund (https://docs.dodopayments.com/features/transactions/refunds): parts add up, in the currency of the payment (inferred). That a
 * refund of a subscription's payment ends its period is inferred, too.
 */
const refund: EventReader = (data, at) => {
  const refundId = idOf(data['refund_id']);
  const paymentRefs = refsOf({ payment: data['payment_id'] });
  const isGiven = data['status'] === 'succeeded';
  const takenBack = takenBackOf('refund', moneyOf(data['amount'], data['currency']), { id: refundId, isGiven });
  const known = purchaseDetails({ at, refs: paymentRefs, paymentRefs, takenBack });
  if (refundId === null || paymentRefs.length === 0 || !(isGiven || data['status'] === 'failed')) return [];
  if (isGiven && data['is_partial'] === false) return [{ kind: 'refunded', ...known }];
  const amount = asNumber(data['amount']) ?? null;
  return [{ kind: 'refund', refundId, refund: { amount, isGiven, leavesAccess: false, lines: {} }, ...known }];
};

/**
 * A dispute that is open. Of a `pre_dispute` no money has moved yet (inferred from its name), as of an inquiry at Stripe:
 * https://docs.dodopayments.com/developer-resources/webhooks/intents/dispute
 */
const disputeOpen: EventReader = (data, at) =>
  data['dispute_stage'] === 'pre_dispute' ? [] : disputeFact(data, at, true, (of) => ({ kind: 'disputed', ...of }));

/** A seller who accepts a dispute loses it (https://docs.dodopayments.com/features/transactions/disputes). */
const disputeClosed =
  (isWon: boolean): EventReader =>
  (data, at) =>
    disputeFact(data, at, !isWon, (of) => ({ kind: 'dispute_closed', isWon, ...of }));

const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['payment.succeeded', paymentSucceeded],
  ['subscription.active', subscriptionPaid],
  ['subscription.renewed', subscriptionPaid],
  ...['updated', 'plan_changed', 'on_hold', 'paused', 'unpaused', 'cancelled', 'expired'].map(
    (what): [string, EventReader] => [`subscription.${what}`, subscription],
  ),
  ['refund.succeeded', refund],
  ['refund.failed', refund],
  ['dispute.opened', disputeOpen],
  ['dispute.challenged', disputeOpen],
  ['dispute.accepted', disputeClosed(false)],
  ['dispute.lost', disputeClosed(false)],
  ['dispute.won', disputeClosed(true)],
  ['dispute.cancelled', disputeClosed(true)],
]);

/** Dodo Payments has made a license key for a product for which that is switched on. */
export const OWN_KEY_EVENT = 'license_key.created';

/** The events to enable at Dodo Payments: all that can change a license, and the one that reports a second key. */
export const DODO_EVENTS: readonly string[] = [...EVENT_READERS.keys(), OWN_KEY_EVENT];

function subscriptionFactsOf(data: Payload, known: PurchaseDetails): readonly PaymentFact[] {
  switch (data['status']) {
    case 'active':
      return data['cancel_at_next_billing_date'] === true
        ? [{ kind: 'cancelled', isOver: false, ...known, endsAt: known.periodEnd }]
        : [{ kind: 'resumed', ...known }];
    case 'on_hold':
      // A renewal failed, and is retried: https://docs.dodopayments.com/features/recovery/payment-retries
      return [{ kind: 'past_due', ...known }];
    case 'paused':
      return [{ kind: 'paused', ...known }];
    case 'cancelled':
      // Buyers keep what they paid for: https://docs.dodopayments.com/features/subscription#subscription-cancellation
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: known.periodEnd ?? known.at }];
    case 'expired':
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: timeOf(data['expires_at']) ?? known.at }];
    default:
      return [];
  }
}

const subscriptionIn = (data: Payload, at: Date): PurchaseDetails => ({
  ...purchaseDetailsIn(data, at),
  refs: refsOf({ subscription: data['subscription_id'] }),
  items: itemOf(idsOf(data['product_id']), data['quantity']),
  periodStart: timeOf(data['previous_billing_date']),
  periodEnd: timeOf(data['next_billing_date']),
});

function purchaseDetailsIn(data: Payload, at: Date): PurchaseDetails {
  const custom = customDataOf(data['metadata']);
  const email = emailOf(valueAt(data, 'customer', 'email'), custom.email);
  return purchaseDetails({
    ...custom,
    at,
    refs: [],
    customerId: idOf(valueAt(data, 'customer', 'customer_id')),
    email,
    buyerName: nameOf(valueAt(data, 'customer', 'name')),
    country: countryOf(valueAt(data, 'billing', 'country')),
  });
}

function disputeFact(
  data: Payload,
  at: Date,
  isGiven: boolean,
  make: (of: PurchaseDetails & { readonly disputeId: string }) => PaymentFact,
): readonly PaymentFact[] {
  const disputeId = idOf(data['dispute_id']);
  const paymentRefs = refsOf({ payment: data['payment_id'] });
  if (disputeId === null || paymentRefs.length === 0) return [];
  // The amount is a text, of the smallest units as everywhere (inferred from its type alone).
  const amount = /^\d+$/.test(asText(data['amount']) ?? '') ? Number(data['amount']) : data['amount'];
  const takenBack = takenBackOf('dispute', moneyOf(amount, data['currency']), { id: disputeId, isGiven });
  return [make({ disputeId, ...purchaseDetails({ at, refs: paymentRefs, paymentRefs, takenBack }) })];
}

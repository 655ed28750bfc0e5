import { asNumber } from '../../common/net/pure.js';
import {
  claimIn,
  countryOf,
  customDataOf,
  customerSeen,
  emailOf,
  type EventReader,
  idOf,
  idsOf,
  itemOf,
  latest,
  moneyOf,
  linkOn,
  nameOf,
  type Payload,
  purchaseDetails,
  recordsOf,
  refsOf,
  takenBackOf,
  unixTimeOf,
  valueAt,
} from '../payload.js';
import type { PurchaseDetails, Item, PaymentFact } from '../payment-fact.js';

/**
 * Facts of a Stripe event: src/payments/README.md#events. Paths are those of API version 2026-10-28, then those of versions before 2025-03,
 * because an endpoint keeps the version that it was made with.
 * @param object `data.object`
 * @param previous `data.previous_attributes`
 */
export function interpretStripe(
  name: string,
  object: Payload,
  at: Date,
  previous: Payload = {},
): readonly PaymentFact[] {
  return EVENT_READERS.get(SAME_AS.get(name) ?? name)?.(object, at, previous) ?? [];
}

/** Events that carry the same as another one, which older tutorials enable instead (https://docs.stripe.com/invoicing/integration). */
const SAME_AS: ReadonlyMap<string, string> = new Map([['invoice.payment_succeeded', 'invoice.paid']]);

/** A Checkout Session, which names prices only if the seller's API call expanded them. */
const session: EventReader = (object, at) => {
  const isPaid = ['paid', 'no_payment_required'].includes(String(object['payment_status']));
  const { payment_intent: payment, subscription, invoice, id } = object;
  const refs = refsOf({ session: id, subscription, payment, invoice });
  if (!isPaid || object['mode'] === 'setup' || refs.length === 0) return [];
  const custom = customDataOf(object['metadata']);
  const sold = purchaseDetails({
    ...custom,
    claimToken: custom.claimToken ?? claimIn(object['client_reference_id']),
    at,
    refs,
    paymentRefs: refsOf({ payment, invoice }),
    customerId: idOf(object['customer']),
    email: emailOf(valueAt(object, 'customer_details', 'email'), object['customer_email'], custom.email),
    buyerName: nameOf(valueAt(object, 'customer_details', 'name')),
    charged: itemsOf(recordsOf(valueAt(object, 'line_items', 'data'))),
    offerId: idOf(object['payment_link']),
    money: moneyOf(object['amount_total'], object['currency']),
    country: countryOf(valueAt(object, 'customer_details', 'address', 'country')),
    productName: nameOf(valueAt(recordsOf(valueAt(object, 'line_items', 'data'))[0], 'description')),
  });
  return [{ kind: 'purchased', ...sold }];
};

const invoice =
  (isPaid: boolean): EventReader =>
  (object, at) => {
    const subscription = subscriptionOf(object);
    if (subscription === null) return isPaid ? soldByInvoice(object, at) : [];
    const all = linesOf(object);
    const lines = chargedLines(all.filter((line) => !isOnce(line)));
    const once = all.filter((line) => isOnce(line) && isCharged(line));
    const custom = customDataOf(valueAt(object, 'parent', 'subscription_details', 'metadata'));
    const older = customDataOf(valueAt(object, 'subscription_details', 'metadata'));
    const known = purchaseDetails({
      at,
      refs: refsOf({ subscription, invoice: object['id'], payment: object['payment_intent'] }),
      paymentRefs: refsOf({ invoice: object['id'], payment: object['payment_intent'] }),
      customerId: idOf(object['customer']),
      email: emailOf(object['customer_email'], custom.email, older.email),
      planId: custom.planId ?? older.planId,
      licenseId: custom.licenseId ?? older.licenseId,
      claimToken: custom.claimToken ?? older.claimToken,
      recipient: custom.recipient ?? older.recipient,
      charged: itemsOf([...(object['billing_reason'] === 'subscription_update' ? [] : lines), ...once]),
      ...(isPaid
        ? periodIn(lines.map((line) => [line, valueAt(line, 'period', 'start'), valueAt(line, 'period', 'end')]))
        : {}),
      receiptUrl: isPaid ? invoicePage(object) : null,
      money: isPaid ? moneyOf(object['amount_paid'], object['currency']) : null,
      ...invoicedIn(object, lines),
    });
    if (lines.length === 0 && once.length > 0) return isPaid ? [{ kind: 'sold_once', ...known }] : [];
    if (!isPaid) return [{ kind: 'past_due', ...known }];
    return [{ kind: object['billing_reason'] === 'subscription_create' ? 'purchased' : 'renewed', ...known }];
  };

/** An invoice without a subscription: one that the seller sent, or that of a Checkout Session, which names the invoice or its payment. */
function soldByInvoice(object: Payload, at: Date): readonly PaymentFact[] {
  const names = refsOf({ invoice: object['id'], payment: object['payment_intent'] });
  const custom = customDataOf(object['metadata']);
  const charged = itemsOf(chargedLines(linesOf(object)));
  if (names.length === 0 || (charged.length === 0 && custom.planId === null)) return [];
  const sold = purchaseDetails({
    ...custom,
    at,
    refs: names,
    paymentRefs: names,
    customerId: idOf(object['customer']),
    email: emailOf(object['customer_email'], custom.email),
    charged,
    receiptUrl: invoicePage(object),
    money: moneyOf(object['amount_paid'], object['currency']),
    ...invoicedIn(object, linesOf(object)),
  });
  return [{ kind: 'purchased', ...sold }];
}

/** A line's description puts the quantity before the name of the product, and the price after it. */
const invoicedIn = (
  invoiced: Payload,
  [line]: readonly Payload[],
): Pick<PurchaseDetails, 'buyerName' | 'country' | 'productName'> => ({
  buyerName: nameOf(invoiced['customer_name']),
  country: countryOf(valueAt(invoiced, 'customer_address', 'country')),
  productName: nameOf(
    nameOf(line?.['description'])
      ?.replace(/^\d+ × /, '')
      .replace(/ \(at [^()]*\)$/, ''),
  ),
});

const invoicePage = (object: Payload): string | null =>
  linkOn('invoice.stripe.com', object['hosted_invoice_url'])?.href ?? null;

/** Says which payment paid an invoice: a refund names only the payment. */
const invoicePayment: EventReader = (object, at) => {
  const refs = refsOf({ invoice: object['invoice'], payment: valueAt(object, 'payment', 'payment_intent') });
  return refs.length < 2 ? [] : [{ kind: 'linked', ...purchaseDetails({ at, refs, paymentRefs: refs }) }];
};

/** A trial that begins is a sale although nothing is paid, and may be the only event of one that began without a checkout. */
const subscription =
  (isBegin: boolean): EventReader =>
  (object, at) => {
    const items = recordsOf(valueAt(object, 'items', 'data'));
    const known = purchaseDetails({
      ...customDataOf(object['metadata']),
      at,
      refs: refsOf({ subscription: object['id'] }),
      customerId: idOf(object['customer']),
      items: itemsOf(items),
      ...periodIn(
        [...items, object].map((one) => [one, one['current_period_start'], one['current_period_end']] as const),
      ),
    });
    if (known.refs.length === 0) return [];
    const facts = subscriptionFactsOf(object, known);
    return isBegin && object['status'] === 'trialing' ? [{ kind: 'purchased', ...known }, ...facts] : facts;
  };

/** The subscription has ended, whatever its status says. */
const deleted: EventReader = (object, at) => subscription(false)({ ...object, status: 'canceled' }, at);

const chargeRefunded: EventReader = (object, at) => {
  const refs = chargeRefs(object, object['id']);
  const receiptUrl = linkOn('pay.stripe.com', object['receipt_url'])?.href ?? null;
  const takenBack = takenBackOf('refund', moneyOf(object['amount_refunded'], object['currency']));
  const known = purchaseDetails({ at, refs, paymentRefs: refs, takenBack });
  if (refs.length === 0) return [];
  if (object['refunded'] === true) return [{ kind: 'refunded', ...known, receiptUrl }];
  // A refund of a part changes no license, and is money all the same.
  return takenBack === null ? [] : [{ kind: 'linked', ...known }];
};

/** A refund that the bank sent back: the money is with the seller again (https://docs.stripe.com/refunds#failed-refunds). */
const refund: EventReader = (object, at) => {
  const refundId = idOf(object['id']);
  const refs = chargeRefs(object, object['charge']);
  const status = String(object['status']);
  if (refundId === null || refs.length === 0 || !['failed', 'canceled'].includes(status)) return [];
  const failed = { amount: asNumber(object['amount']) ?? null, isGiven: false, leavesAccess: false, lines: {} };
  const money = moneyOf(object['amount'], object['currency']);
  const takenBack = takenBackOf('refund', money, { id: refundId, isGiven: false });
  return [{ kind: 'refund', refundId, refund: failed, ...purchaseDetails({ at, refs, paymentRefs: refs, takenBack }) }];
};

/** The states in which a dispute holds the money. For an inquiry (`warning_…`) no money moves. */
const OPEN_DISPUTES: ReadonlySet<unknown> = new Set(['needs_response', 'under_review']);

/** A dispute, also an inquiry that has become one. It ends without loss by any word but `lost`: `won`, `warning_closed`, `prevented`. */
const dispute =
  (isEnd: boolean): EventReader =>
  (object, at) => {
    const disputeId = idOf(object['id']);
    const { status } = object;
    const refs = chargeRefs(object, object['charge']);
    const isGiven = !isEnd || status === 'lost';
    const takenBack = takenBackOf('dispute', moneyOf(object['amount'], object['currency']), { id: disputeId, isGiven });
    const known = purchaseDetails({ at, refs, paymentRefs: refs, takenBack });
    if (disputeId === null || known.refs.length === 0) return [];
    if (!isEnd) return OPEN_DISPUTES.has(status) ? [{ kind: 'disputed', disputeId, ...known }] : [];
    return OPEN_DISPUTES.has(status) || typeof status !== 'string'
      ? []
      : [{ kind: 'dispute_closed', disputeId, isWon: status !== 'lost', ...known }];
  };

/** A customer whose address has changed; every sale names its buyer itself. */
const customer: EventReader = (object, at, previous) => {
  const former = emailOf(previous?.['email']);
  return former === null ? [] : customerSeen(object, at).map((fact) => ({ ...fact, former }));
};

/** Of `refund.*` only a failure counts: only `charge.refunded`, which comes with a refund, says whether that is all of the payment. */
const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['checkout.session.completed', session],
  ['checkout.session.async_payment_succeeded', session],
  ['invoice.paid', invoice(true)],
  ['invoice.payment_failed', invoice(false)],
  ['invoice_payment.paid', invoicePayment],
  ['customer.subscription.created', subscription(true)],
  ['customer.subscription.updated', subscription(false)],
  ['customer.subscription.paused', subscription(false)],
  ['customer.subscription.resumed', subscription(false)],
  ['customer.subscription.deleted', deleted],
  ['customer.updated', customer],
  ['charge.refunded', chargeRefunded],
  ['refund.updated', refund],
  ['refund.failed', refund],
  ['charge.refund.updated', refund],
  ['charge.dispute.created', dispute(false)],
  ['charge.dispute.updated', dispute(false)],
  ['charge.dispute.funds_withdrawn', dispute(false)],
  ['charge.dispute.funds_reinstated', dispute(true)],
  ['charge.dispute.closed', dispute(true)],
]);

/** The events to enable at Stripe: all that can change a license. */
export const STRIPE_EVENTS: readonly string[] = [...EVENT_READERS.keys()];

function subscriptionFactsOf(object: Payload, known: PurchaseDetails): readonly PaymentFact[] {
  switch (object['status']) {
    case 'active':
    case 'trialing':
      if (object['cancel_at_period_end'] !== true && object['cancel_at'] == null)
        return [{ kind: object['pause_collection'] == null ? 'resumed' : 'uncollected', ...known }];
      return [
        { kind: 'cancelled', isOver: false, ...known, endsAt: unixTimeOf(object['cancel_at']) ?? known.periodEnd },
      ];
    case 'past_due':
      return [{ kind: 'past_due', ...known }];
    case 'unpaid':
    case 'paused':
      return [{ kind: 'paused', ...known }];
    case 'canceled':
    case 'incomplete_expired':
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: endedAt(object, known.at) }];
    default:
      return [];
  }
}

const endedAt = (object: Payload, at: Date): Date => unixTimeOf(object['ended_at']) ?? at;

const subscriptionOf = (object: Payload): string | null =>
  idOf(valueAt(object, 'parent', 'subscription_details', 'subscription')) ?? idOf(object['subscription']);

/**
 * The lines of what was bought. After a change of price, a credit names the former price, and a prorated charge appears next to the line of the
 * period itself.
 */
function chargedLines(lines: readonly Payload[]): readonly Payload[] {
  const charged = lines.filter(isCharged);
  const whole = charged.filter((line) => !isProration(line));
  return [whole, charged, lines].find((some) => some.length > 0) ?? [];
}

const isCharged = (line: Payload): boolean => (asNumber(line['amount']) ?? 0) > 0;

const linesOf = (invoiced: Payload): readonly Payload[] => recordsOf(valueAt(invoiced, 'lines', 'data'));

/** Whether a line or line item does not renew with a subscription; a prorated change of one is no sale of its own. */
const isOnce = (line: Payload): boolean =>
  !isProration(line) &&
  (valueAt(line, 'parent', 'type') === 'invoice_item_details' || valueAt(line, 'price', 'type') === 'one_time');

const isProration = (line: Payload): boolean =>
  line['proration'] === true ||
  valueAt(line, 'parent', 'subscription_item_details', 'proration') === true ||
  valueAt(line, 'parent', 'invoice_item_details', 'proration') === true;

/** The period of each of some items or lines, and the last of all. */
function periodIn(
  entries: readonly (readonly [entry: Payload, start: unknown, end: unknown])[],
): Pick<PurchaseDetails, 'periodStart' | 'periodEnd' | 'periods'> {
  const known = entries.map(([entry, start, end]) => ({
    product: productIdsOf(entry).at(-1),
    start: unixTimeOf(start),
    end: unixTimeOf(end),
  }));
  return {
    periodStart: latest(known.map(({ start }) => start)),
    periodEnd: latest(known.map(({ end }) => end)),
    periods: known.reduce<PurchaseDetails['periods']>((periods, { product, start, end }) => {
      if (product === undefined || end === null) return periods;
      const { [product]: other } = periods;
      // Usage is charged afterwards, beside the base fee of the period that begins.
      const isOlder = other?.end != null && other.end >= end;
      return isOlder ? periods : { ...periods, [product]: { start, end } };
    }, {}),
  };
}

const productIdsOf = (entry: Payload): readonly string[] =>
  idsOf(
    valueAt(entry, 'pricing', 'price_details', 'price') ?? entry['price'],
    valueAt(entry, 'pricing', 'price_details', 'product') ?? valueAt(entry, 'price', 'product'),
  );

/** Reads items, lines or line items. A price that is billed in tiers has a line for each tier. */
function itemsOf(entries: readonly Payload[]): readonly Item[] {
  const items = entries.flatMap((entry) => itemOf(productIdsOf(entry), entry['quantity'], { isOnce: isOnce(entry) }));
  return items.reduce<readonly Item[]>((merged, item) => {
    const same = merged.find(({ productIds }) => productIds.join() === item.productIds.join());
    if (same === undefined) return [...merged, item];
    return merged.map((one) => (one === same ? { ...one, quantity: one.quantity + item.quantity } : one));
  }, []);
}

const chargeRefs = (object: Payload, charge: unknown): readonly string[] =>
  refsOf({ payment: object['payment_intent'], charge, invoice: object['invoice'] });

import { asNumber, asRecord } from '../../common/net/pure.js';
import {
  customDataOf,
  emailOf,
  idOf,
  idsOf,
  itemOf,
  linkOn,
  moneyOf,
  nameOf,
  type Payload,
  purchaseDetails,
  refsOf,
  takenBackOf,
  timeOf,
  valueAt,
} from '../payload.js';
import type { PurchaseDetails, PaymentFact } from '../payment-fact.js';

/** Of the service and of its stores. */
const HOSTS = '.lemonsqueezy.com';

/** The parts of a notification: JSON:API's `data`, and `meta.custom_data`. */
export interface LemonSqueezyObject {
  readonly id: unknown;
  readonly attributes: Payload;
  readonly custom: unknown;
}

type EventReader = (object: LemonSqueezyObject, at: Date) => readonly PaymentFact[];

/** Facts of a Lemon Squeezy event: src/payments/README.md#events */
export function interpretLemonSqueezy(name: string, object: LemonSqueezyObject, at: Date): readonly PaymentFact[] {
  return EVENT_READERS.get(name)?.(object, at) ?? [];
}

const orderCreated: EventReader = (object, at) =>
  object.attributes['status'] === 'paid' ? [{ kind: 'purchased', ...ofOrder(object, at) }] : [];

const orderRefunded: EventReader = (object, at) => refundOf(object.attributes, ofOrder(object, at));

/** Comes with `order_created`, and names the same order. */
const subscriptionCreated: EventReader = (object, at) =>
  subscription(object, at).map((fact) => (fact.kind === 'renewed' ? { ...fact, kind: 'purchased' as const } : fact));

/** A snapshot. Only this says how long the subscription is paid for: `renews_at` moves once a payment succeeded. */
const subscription: EventReader = ({ id, attributes, custom }, at) => {
  const refs = refsOf({ subscription: id, order: attributes['order_id'] });
  const products = idsOf(attributes['variant_id'], attributes['product_id']);
  const items = itemOf(products, valueAt(attributes, 'first_subscription_item', 'quantity'));
  // The order paid for the begin of the subscription.
  const known = { ...purchaseDetailsIn(attributes, custom, at, refs), items, moneyRefs: refs };
  const endsAt = timeOf(attributes['ends_at']);
  switch (attributes['status']) {
    case 'on_trial':
    case 'active':
      return [
        { kind: 'renewed', ...known, periodEnd: timeOf(attributes['renews_at']) },
        { kind: 'resumed', ...known },
      ];
    case 'past_due':
      return [{ kind: 'past_due', ...known }];
    case 'unpaid':
      return [{ kind: 'uncollected', ...known }];
    case 'paused':
      return [{ kind: valueAt(attributes, 'pause', 'mode') === 'free' ? 'uncollected' : 'paused', ...known }];
    case 'cancelled':
      return [{ kind: 'cancelled', isOver: false, ...known, endsAt }];
    case 'expired':
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: endsAt ?? at }];
    default:
      return [];
  }
};

/** A subscription's invoice. It names neither product nor period: its date determines the period that it paid for. */
const invoice =
  (kind: 'renewed' | 'past_due' | 'refunded'): EventReader =>
  ({ id, attributes, custom }, at) => {
    const refs = refsOf({ subscription: attributes['subscription_id'] });
    if (refs.length === 0) return [];
    const known = { ...purchaseDetailsIn(attributes, custom, at, refs), ...paymentIn('invoice', id, attributes, at) };
    // The order that began the subscription reports the same money.
    const told = attributes['billing_reason'] === 'initial' ? { ...known, moneyRefs: refs } : known;
    return kind === 'refunded' ? refundOf(attributes, told) : [{ kind, ...told }];
  };

/** A refund of a part changes no license, and is money all the same. */
function refundOf(attributes: Payload, known: PurchaseDetails): readonly PaymentFact[] {
  const money = known.money === null ? null : moneyOf(attributes['refunded_amount'], known.money.currency);
  const takenBack = takenBackOf('refund', money);
  if (isRefundedInFull(attributes)) return [{ kind: 'refunded', ...known, takenBack }];
  return takenBack === null || takenBack.money.value === 0 ? [] : [{ kind: 'linked', ...known, takenBack }];
}

const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['order_created', orderCreated],
  ['order_refunded', orderRefunded],
  ['subscription_created', subscriptionCreated],
  ...['updated', 'plan_changed', 'cancelled', 'resumed', 'expired', 'paused', 'unpaused'].map(
    (what): [string, EventReader] => [`subscription_${what}`, subscription],
  ),
  ['subscription_payment_success', invoice('renewed')],
  ['subscription_payment_recovered', invoice('renewed')],
  ['subscription_payment_failed', invoice('past_due')],
  ['subscription_payment_refunded', invoice('refunded')],
]);

/** Lemon Squeezy has made a license key for a product for which that is switched on. */
export const OWN_KEY_EVENT = 'license_key_created';

/** The events to enable at Lemon Squeezy: all that can change a license, and the one that reports a second key. */
export const LEMON_SQUEEZY_EVENTS: readonly string[] = [...EVENT_READERS.keys(), OWN_KEY_EVENT];

function ofOrder({ id, attributes, custom }: LemonSqueezyObject, at: Date): PurchaseDetails {
  const item = attributes['first_order_item'];
  const charged = itemOf(idsOf(valueAt(item, 'variant_id'), valueAt(item, 'product_id')), valueAt(item, 'quantity'));
  const sold = purchaseDetailsIn(attributes, custom, at, refsOf({ order: id }));
  return { ...sold, ...paymentIn('order', id, attributes, at), charged };
}

const paymentIn = (
  kind: 'order' | 'invoice',
  id: unknown,
  attributes: Payload,
  at: Date,
): Pick<PurchaseDetails, 'paymentRefs' | 'paymentMadeAt' | 'money'> => ({
  paymentRefs: refsOf({ [kind]: id }),
  money: moneyOf(attributes['total'], attributes['currency']),
  paymentMadeAt: timeOf(attributes['created_at']) ?? at,
});

function purchaseDetailsIn(attributes: Payload, custom: unknown, at: Date, refs: readonly string[]): PurchaseDetails {
  const own = customDataOf(custom);
  const email = emailOf(attributes['user_email'], own.email);
  return purchaseDetails({
    ...own,
    at,
    refs,
    customerId: idOf(attributes['customer_id']),
    email,
    buyerName: nameOf(attributes['user_name']),
    productName: nameOf(valueAt(attributes, 'first_order_item', 'product_name')) ?? nameOf(attributes['product_name']),
    ...linksIn(asRecord(attributes['urls']) ?? {}),
  });
}

/** An order has a receipt, an invoice its own page, and a subscription the portal. */
function linksIn(urls: Payload): Pick<PurchaseDetails, 'receiptUrl' | 'portalUrl'> {
  const receipt = linkOn(HOSTS, urls['receipt'] ?? urls['invoice_url']);
  const portal = linkOn(HOSTS, urls['customer_portal']);
  // Signed, the portal opens for anybody, and only for a day; unsigned, it asks buyers for their address.
  return { receiptUrl: receipt?.href ?? null, portalUrl: portal === null ? null : portal.origin + portal.pathname };
}

function isRefundedInFull(attributes: Payload): boolean {
  const [refunded, total] = [asNumber(attributes['refunded_amount']), asNumber(attributes['total'])];
  if (refunded !== undefined && total !== undefined) return refunded > 0 && refunded >= total;
  return attributes['refunded'] === true && attributes['status'] !== 'partial_refund';
}

import { asNumber } from '../../common/net/pure.js';
import {
  claimIn,
  countryOf,
  customerSeen,
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

/** Facts of a Polar event: src/payments/README.md#events. @param data `data` */
export function interpretPolar(name: string, data: Payload, at: Date): readonly PaymentFact[] {
  return EVENT_READERS.get(name)?.(data, at) ?? [];
}

/** Meaning of a paid order, by its `billing_reason`; metered usage pays for no period. */
const PAID: ReadonlyMap<unknown, 'purchased' | 'renewed'> = new Map([
  ['purchase', 'purchased'],
  ['subscription_create', 'purchased'],
  ['subscription_cycle', 'renewed'],
  ['subscription_update', 'renewed'],
]);

const orderPaid: EventReader = (data, at) => {
  const kind = PAID.get(data['billing_reason']);
  const isPart = data['billing_reason'] === 'subscription_update';
  const { refs, paymentRefs } = orderRefs(data);
  const known = { ...purchaseDetailsIn(data, at), refs, paymentRefs, charged: isPart ? [] : itemIn(data) };
  if (kind === undefined || known.refs.length === 0) return [];
  const periodStart = timeOf(valueAt(data, 'subscription', 'current_period_start'));
  const periodEnd = timeOf(valueAt(data, 'subscription', 'current_period_end'));
  return [{ kind, ...known, periodStart, periodEnd, money: moneyOf(data['total_amount'], data['currency']) }];
};

/** A refund of a subscription's order leaves access (https://polar.sh/docs/features/refunds). To end access, the seller cancels the subscription. */
const orderRefunded: EventReader = (data, at) => {
  const [refunded, total] = [asNumber(data['refunded_amount']), asNumber(data['net_amount'] ?? data['amount'])];
  const isFull =
    data['status'] === 'refunded' || (refunded !== undefined && total !== undefined && total > 0 && refunded >= total);
  const { subscriptionId, ...names } = orderRefs(data);
  const sum = (refunded ?? NaN) + (asNumber(data['refunded_tax_amount']) ?? 0);
  const known = purchaseDetails({ at, ...names, takenBack: takenBackOf('refund', moneyOf(sum, data['currency'])) });
  if (known.refs.length === 0) return [];
  if (isFull && subscriptionId === null) return [{ kind: 'refunded', ...known }];
  const part = { ...LEFT, leavesAccess: subscriptionId !== null };
  return [{ kind: 'refund', refundId: `order:${idOf(data['id'])}`, refund: part, ...known }];
};

/** A refund of an unknown share that leaves access. */
const LEFT = { amount: null, isGiven: true, leavesAccess: true, lines: {} };

/**
 * A refund. It carries an amount, not whether it is all, so `order.refunded` decides, unless the refund itself says that access ends or stays. Money
 * that was taken back by a dispute ends the period of a subscription, too.
 */
const refund: EventReader = (data, at) => {
  const refundId = idOf(data['id']);
  const isForced = data['reason'] === 'dispute_prevention' || data['dispute'] != null;
  const { subscriptionId, ...names } = orderRefs({ ...data, id: data['order_id'] });
  const known = purchaseDetails({ at, ...names });
  if (names.refs.length === 0 || refundId === null) return [];
  switch (data['status']) {
    case 'succeeded':
      if (isForced || (data['revoke_benefits'] === true && subscriptionId === null))
        return [
          { kind: 'refunded', ...known },
          { kind: 'refund', refundId, refund: { ...LEFT, leavesAccess: false }, ...known },
        ];
      return data['revoke_benefits'] === false ? [{ kind: 'refund', refundId, refund: LEFT, ...known }] : [];
    case 'failed':
    case 'canceled': {
      const sum = (asNumber(data['amount']) ?? NaN) + (asNumber(data['tax_amount']) ?? 0);
      const takenBack = takenBackOf('refund', moneyOf(sum, data['currency']), { id: refundId, isGiven: false });
      return [{ kind: 'refund', refundId, refund: { ...LEFT, isGiven: false }, ...known, takenBack }];
    }
    default:
      return [];
  }
};

const subscription: EventReader = (data, at) => {
  const refs = refsOf({ subscription: data['id'] });
  const periodStart = timeOf(data['current_period_start']);
  const periodEnd = timeOf(data['current_period_end']);
  return refs.length === 0
    ? []
    : subscriptionFactsOf(data, { ...purchaseDetailsIn(data, at), items: itemIn(data), refs, periodStart, periodEnd });
};

/** Access ends now, because the subscription has ended or its retries are used up (`unpaid`), after which a payment can still succeed. */
const revoked: EventReader = (data, at) =>
  subscription({ ...data, status: data['status'] === 'unpaid' ? 'unpaid' : 'canceled' }, at);

/** A team has no address of its own: that of its owner counts. */
const memberSeen: EventReader = (data, at) =>
  data['role'] === 'owner' ? customerSeen({ id: data['customer_id'], email: data['email'] }, at) : [];

const EVENT_READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['order.paid', orderPaid],
  ['order.refunded', orderRefunded],
  ['refund.created', refund],
  ['refund.updated', refund],
  ...['created', 'active', 'updated', 'cycled', 'canceled', 'uncanceled', 'past_due', 'paused', 'resumed'].map(
    (what): [string, EventReader] => [`subscription.${what}`, subscription],
  ),
  ['subscription.revoked', revoked],
  ['customer.created', customerSeen],
  ['customer.updated', customerSeen],
  ['member.created', memberSeen],
  ['member.updated', memberSeen],
]);

/** The events to enable at Polar: all that can change a license. */
export const POLAR_EVENTS: readonly string[] = [...EVENT_READERS.keys()];

function subscriptionFactsOf(data: Payload, known: PurchaseDetails): readonly PaymentFact[] {
  switch (data['status']) {
    case 'active':
    case 'trialing':
      // A period that has begun may be unpaid: only `order.paid` says that it is paid.
      return data['cancel_at_period_end'] === true
        ? [{ kind: 'cancelled', isOver: false, ...known, endsAt: timeOf(data['ends_at']) ?? known.periodEnd }]
        : [{ kind: 'resumed', ...known }];
    case 'past_due':
      return [{ kind: 'past_due', ...known }];
    case 'unpaid':
    case 'paused':
      return [{ kind: 'paused', ...known }];
    case 'canceled':
    case 'incomplete_expired':
      return [{ kind: 'cancelled', isOver: true, ...known, endsAt: timeOf(data['ended_at']) ?? known.at }];
    default:
      return [];
  }
}

function purchaseDetailsIn(data: Payload, at: Date): PurchaseDetails {
  const custom = customDataOf(data['metadata']);
  return purchaseDetails({
    ...custom,
    claimToken: custom.claimToken ?? claimIn(valueAt(data, 'metadata', 'reference_id')),
    at,
    refs: [],
    customerId: idOf(data['customer_id']) ?? idOf(data['customer']),
    email: emailOf(valueAt(data, 'customer', 'email'), custom.email),
    buyerName: nameOf(valueAt(data, 'customer', 'name')),
    country: countryOf(valueAt(data, 'billing_address', 'country')),
    productName: nameOf(valueAt(data, 'product', 'name')),
  });
}

/** One product with its seats. An order lists each part of its price. */
function itemIn(data: Payload): readonly Item[] {
  const prices = recordsOf(data['items']).map((item) => item['product_price_id']);
  const products = idsOf(...prices, data['product_id'], valueAt(data, 'product', 'id'));
  return itemOf(products, data['seats'] ?? valueAt(data, 'subscription', 'seats'));
}

function orderRefs(
  data: Payload,
): Pick<PurchaseDetails, 'refs' | 'paymentRefs'> & { readonly subscriptionId: string | null } {
  const subscriptionId = idOf(data['subscription_id']) ?? idOf(data['subscription']);
  const paymentRefs = refsOf({ order: data['id'] });
  return { refs: refsOf({ order: data['id'], subscription: subscriptionId }), paymentRefs, subscriptionId };
}

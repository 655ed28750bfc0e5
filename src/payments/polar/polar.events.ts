import { asNumber } from '../../common/net/index.js';
import {
  customerSeen,
  customDataOf,
  emailOf,
  type EventReader,
  idOf,
  idsOf,
  itemOf,
  type Payload,
  purchaseDetails,
  recordsOf,
  refsOf,
  timeOf,
  valueAt,
} from '../payload.js';
import type { PurchaseDetails, Item, PaymentFact } from '../payment-fact.js';

/** What a Polar event means: docs/payments.md#events. @param data `data` */
export function interpretPolar(name: string, data: Payload, at: Date): readonly PaymentFact[] {
  return EVENT_READERS.get(name)?.(data, at) ?? [];
}

/** What a paid order means, by its `billing_reason`; metered usage pays for no period. */
const PAID: ReadonlyMap<unknown, 'purchased' | 'renewed'> = new Map([
  ['purchase', 'purchased'],
  ['subscription_create', 'purchased'],
  ['subscription_cycle', 'renewed'],
  ['subscription_update', 'renewed'],
]);

const orderPaid: EventReader = (data, at) => {
  const kind = PAID.get(data['billing_reason']);
  const isPart = data['billing_reason'] === 'subscription_update';
  const known = { ...purchaseDetailsIn(data, at), ...orderRefs(data), charged: isPart ? [] : itemIn(data) };
  if (kind === undefined || known.refs.length === 0) return [];
  return [{ kind, ...known, periodEnd: timeOf(valueAt(data, 'subscription', 'current_period_end')) }];
};

const orderRefunded: EventReader = (data, at) => {
  const [refunded, total] = [asNumber(data['refunded_amount']), asNumber(data['net_amount'] ?? data['amount'])];
  const isFull =
    data['status'] === 'refunded' || (refunded !== undefined && total !== undefined && total > 0 && refunded >= total);
  const names = orderRefs(data);
  return isFull && names.refs.length > 0 ? [{ kind: 'refunded', ...purchaseDetails({ at, ...names }) }] : [];
};

/** A refund carries an amount, not whether it is all, so `order.refunded` decides, unless the refund itself says that access ends. */
const refund: EventReader = (data, at) => {
  const takesAll =
    data['revoke_benefits'] === true || data['reason'] === 'dispute_prevention' || data['dispute'] != null;
  const names = orderRefs({ ...data, id: data['order_id'] });
  if (data['status'] !== 'succeeded' || !takesAll || names.refs.length === 0) return [];
  return [{ kind: 'refunded', ...purchaseDetails({ at, ...names }) }];
};

const subscription: EventReader = (data, at) => {
  const refs = refsOf({ subscription: data['id'] });
  const periodEnd = timeOf(data['current_period_end']);
  return refs.length === 0
    ? []
    : subscriptionFactsOf(data, { ...purchaseDetailsIn(data, at), items: itemIn(data), refs, periodEnd });
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
    at,
    refs: [],
    customerId: idOf(data['customer_id']) ?? idOf(data['customer']),
    email: emailOf(valueAt(data, 'customer', 'email'), custom.email),
  });
}

/** One product with its seats. An order lists each part of its price. */
function itemIn(data: Payload): readonly Item[] {
  const prices = recordsOf(data['items']).map((item) => item['product_price_id']);
  const products = idsOf(...prices, data['product_id'], valueAt(data, 'product', 'id'));
  return itemOf(products, data['seats'] ?? valueAt(data, 'subscription', 'seats'));
}

const orderRefs = (data: Payload): Pick<PurchaseDetails, 'refs' | 'paymentRefs'> => ({
  refs: refsOf({ order: data['id'], subscription: data['subscription_id'] ?? data['subscription'] }),
  paymentRefs: refsOf({ order: data['id'] }),
});

import { asNumber } from '../../common/net/index.js';
import {
  about,
  customOf,
  dig,
  emailOf,
  idOf,
  idsOf,
  itemOf,
  recordsOf,
  refsOf,
  timeOf,
  type Payload,
} from '../payload.js';
import type { About, Item, PaymentFact } from '../payment-fact.js';

type Reading = (data: Payload, at: Date) => readonly PaymentFact[];

/** What a Polar event means: docs/payments.md#events. @param data `data` */
export function interpretPolar(name: string, data: Payload, at: Date): readonly PaymentFact[] {
  return READINGS.get(name)?.(data, at) ?? [];
}

/** What a paid order means, by its `billing_reason`; metered usage pays for no period. */
const PAID: ReadonlyMap<unknown, 'purchased' | 'renewed'> = new Map([
  ['purchase', 'purchased'],
  ['subscription_create', 'purchased'],
  ['subscription_cycle', 'renewed'],
  ['subscription_update', 'renewed'],
]);

const orderPaid: Reading = (data, at) => {
  const kind = PAID.get(data['billing_reason']);
  const isPart = data['billing_reason'] === 'subscription_update';
  const known = { ...soldIn(data, at), ...orderNames(data), charged: isPart ? [] : itemIn(data) };
  if (kind === undefined || known.refs.length === 0) return [];
  return [{ kind, ...known, periodEnd: timeOf(dig(data, 'subscription', 'current_period_end')) }];
};

const orderRefunded: Reading = (data, at) => {
  const [refunded, total] = [asNumber(data['refunded_amount']), asNumber(data['net_amount'] ?? data['amount'])];
  const isFull =
    data['status'] === 'refunded' || (refunded !== undefined && total !== undefined && total > 0 && refunded >= total);
  const names = orderNames(data);
  return isFull && names.refs.length > 0 ? [{ kind: 'refunded', ...about({ at, ...names }) }] : [];
};

/** A refund carries an amount, not whether it is all, so `order.refunded` decides, unless the refund itself says that access ends. */
const refund: Reading = (data, at) => {
  const takesAll =
    data['revoke_benefits'] === true || data['reason'] === 'dispute_prevention' || data['dispute'] != null;
  const names = orderNames({ ...data, id: data['order_id'] });
  if (data['status'] !== 'succeeded' || !takesAll || names.refs.length === 0) return [];
  return [{ kind: 'refunded', ...about({ at, ...names }) }];
};

const subscription: Reading = (data, at) => {
  const refs = refsOf({ subscription: data['id'] });
  const periodEnd = timeOf(data['current_period_end']);
  return refs.length === 0 ? [] : standingOf(data, { ...soldIn(data, at), items: itemIn(data), refs, periodEnd });
};

/** Access ends now, because the subscription has ended or its retries are used up (`unpaid`), after which a payment can still succeed. */
const revoked: Reading = (data, at) =>
  subscription({ ...data, status: data['status'] === 'unpaid' ? 'unpaid' : 'canceled' }, at);

const customer: Reading = (data, at) => {
  const [customerId, email] = [idOf(data['id']), emailOf(data['email'])];
  return customerId === null || email === null ? [] : [{ kind: 'customer_seen', at, customerId, email }];
};

const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['order.paid', orderPaid],
  ['order.refunded', orderRefunded],
  ['refund.created', refund],
  ['refund.updated', refund],
  ...['created', 'active', 'updated', 'cycled', 'canceled', 'uncanceled', 'past_due', 'paused', 'resumed'].map(
    (what): [string, Reading] => [`subscription.${what}`, subscription],
  ),
  ['subscription.revoked', revoked],
  ['customer.created', customer],
  ['customer.updated', customer],
]);

function standingOf(data: Payload, known: About): readonly PaymentFact[] {
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

function soldIn(data: Payload, at: Date): About {
  const custom = customOf(data['metadata']);
  return about({
    at,
    refs: [],
    customerId: idOf(data['customer_id']) ?? idOf(data['customer']),
    email: emailOf(dig(data, 'customer', 'email'), custom.email),
    planId: custom.planId,
    claimToken: custom.claimToken,
  });
}

/** One product with its seats. An order lists each part of its price. */
function itemIn(data: Payload): readonly Item[] {
  const prices = recordsOf(data['items']).map((item) => item['product_price_id']);
  const products = idsOf(...prices, data['product_id'], dig(data, 'product', 'id'));
  return itemOf(products, data['seats'] ?? dig(data, 'subscription', 'seats'));
}

const orderNames = (data: Payload): Pick<About, 'refs' | 'paymentRefs'> => ({
  refs: refsOf({ order: data['id'], subscription: data['subscription_id'] ?? data['subscription'] }),
  paymentRefs: refsOf({ order: data['id'] }),
});

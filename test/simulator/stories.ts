import type { ProcessorId } from '../../src/payments/index.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';

const DAY = 86_400_000;
/** How long a license lasts past its paid period after a failed payment, by default. */
const GRACE_DAYS = 7;

/** How a sale ends, as its buyer knows it. */
export interface Ending {
  readonly status: 'active' | 'expired' | 'revoked' | 'suspended';
  readonly expiresAt: string | null;
}

/** What becomes of a sale: all that its processor tells of it, and the license that the buyer has in the end. */
export interface Story {
  /** Day of the last event. */
  readonly days: number;
  /** How often it happens, compared to the others. */
  readonly weight: number;
  readonly events: (processor: ProcessorId, sale: Sale) => readonly Notification[];
  readonly ending: (processor: ProcessorId, sale: Sale) => Ending;
  readonly only?: ProcessorId;
}

const FOR_EVER: Ending = { status: 'active', expiresAt: null };
const until =
  (day: number) =>
  (_processor: ProcessorId, sale: Sale): Ending => ({ status: 'active', expiresAt: dayOf(sale, day) });
const dayOf = (sale: Sale, day: number): string => new Date(sale.at.getTime() + day * DAY).toISOString();

const stripeDispute =
  (...states: readonly (readonly [day: number, status: 'needs_response' | 'won' | 'lost'])[]) =>
  (_processor: ProcessorId, sale: Sale): readonly Notification[] => [
    ...oneOffSale('stripe', sale),
    ...states.map(([day, status]) => ({
      id: `evt_${status}_${sale.tag}`,
      type: status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed',
      created: sale.at.getTime() / 1000 + day * 86_400,
      livemode: true,
      data: {
        object: { id: `dp_${sale.tag}`, charge: `ch_${sale.tag}`, payment_intent: `pi_${sale.tag}`, status },
      },
    })),
  ];

/** The stories, by their names. */
export const STORIES = {
  once: { days: 0, weight: 2, events: oneOffSale, ending: () => FOR_EVER },
  refunded: {
    days: 65,
    weight: 2,
    events: (processor, sale) => [...oneOffSale(processor, sale), ...fullRefund(processor, sale)],
    ending: () => ({ status: 'revoked', expiresAt: null }),
  },
  life: { days: 64, weight: 3, events: subscriptionLife, ending: until(90) },
  unpaid: {
    days: 61,
    weight: 3,
    events: (processor, sale) =>
      subscriptionLife(processor, sale).filter((event) => timeOf(event) <= sale.at.getTime() + 62 * DAY),
    ending: until(60 + GRACE_DAYS),
  },
  renewalRefunded: {
    days: 40,
    weight: 3,
    events: (processor, sale) => {
      const { paidMonth, refundedMonth } = FULL_SIZE[processor];
      return [...paidMonth(sale, 1), ...paidMonth(sale, 2), ...refundedMonth(sale, 2, 40)];
    },
    // https://polar.sh/docs/features/refunds: an order tied to a subscription takes no access when it is refunded.
    ending: (processor, sale) => until(processor === 'polar' ? 60 : 30)(processor, sale),
  },
  disputed: {
    days: 5,
    weight: 1,
    events: stripeDispute([5, 'needs_response']),
    ending: () => ({ status: 'suspended', expiresAt: null }),
    only: 'stripe',
  },
  won: {
    days: 9,
    weight: 1,
    events: stripeDispute([5, 'needs_response'], [9, 'won']),
    ending: () => FOR_EVER,
    only: 'stripe',
  },
  lost: {
    days: 9,
    weight: 1,
    events: stripeDispute([5, 'needs_response'], [9, 'lost']),
    ending: () => ({ status: 'revoked', expiresAt: null }),
    only: 'stripe',
  },
} as const satisfies Readonly<Record<string, Story>>;

/** When an event happened, by the processor's own time in it. */
export function timeOf(event: Notification): number {
  const { created, occurred_at: occurredAt, timestamp, data } = event;
  if (typeof created === 'number') return created * 1000;
  const text = occurredAt ?? timestamp ?? (data as { attributes: { updated_at: string } }).attributes.updated_at;
  return Date.parse(text as string);
}

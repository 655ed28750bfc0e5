import type { ProcessorId } from '../../src/payments/index.js';
import type { SoldItem } from '../support/processor-events/events.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';

const DAY = 86_400_000;
/** How long a license lasts past its paid period after a failed payment, by default. */
const GRACE_DAYS = 7;

/** How a sale ends, as its buyer knows it. */
export interface Ending {
  readonly status: 'active' | 'expired' | 'revoked' | 'suspended';
  readonly expiresAt: string | null;
  /** The plan; the one that is sold, if none is named. */
  readonly plan?: 'better';
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

/** What reads otherwise where a third of 900 goes back, and not all: of each member, its value and the one in its place. */
const IN_PART: Readonly<Record<ProcessorId, Readonly<Record<string, readonly [unknown, unknown]>>>> = {
  stripe: { refunded: [true, false], amount_refunded: [900, 300] },
  paddle: { type: ['full', 'partial'], amount: ['900', '300'], subtotal: ['900', '300'], total: ['900', '300'] },
  lemonsqueezy: { status: ['refunded', 'partial_refund'], refunded_amount: [900, 300] },
  polar: { status: ['refunded', 'partially_refunded'], refunded_amount: [900, 300] },
  creem: { status: ['refunded', 'partialRefund'], refunded_amount: [900, 300], refund_amount: [900, 300] },
  dodo: { is_partial: [false, true], amount: [900, 300] },
};

/** The same refunds, of a third of the money. */
const inPart = (processor: ProcessorId, refunds: readonly Notification[]): readonly Notification[] =>
  JSON.parse(JSON.stringify(refunds), (name, value: unknown) => {
    const [whole, part] = IN_PART[processor][name] ?? [];
    return value === whole ? part : value;
  }) as readonly Notification[];

/** What the better plan sells, at each processor. */
export const betterItem = (processor: ProcessorId): SoldItem => {
  const item = FULL_SIZE[processor].items[1];
  if (item === undefined) throw new Error(`${processor} sells one item only`);
  return item;
};

/** A subscriber takes the better plan, and renews it. */
const changeOfPlan = (processor: ProcessorId, sale: Sale): readonly Notification[] => {
  const { paidMonth, subscription } = FULL_SIZE[processor];
  const items = [betterItem(processor)];
  return [...paidMonth(sale, 1), subscription(sale, 10, 1, { items }), ...paidMonth(sale, 2, { items })];
};

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
  refundedInPart: {
    days: 65,
    weight: 1,
    events: (processor, sale) => [...oneOffSale(processor, sale), ...inPart(processor, fullRefund(processor, sale))],
    ending: () => FOR_EVER,
  },
  renewalRefundedInPart: {
    days: 40,
    weight: 2,
    events: (processor, sale) => {
      const { paidMonth, refundedMonth } = FULL_SIZE[processor];
      return [...paidMonth(sale, 1), ...paidMonth(sale, 2), ...inPart(processor, refundedMonth(sale, 2, 40))];
    },
    ending: until(60),
  },
  changesPlan: {
    days: 30,
    weight: 2,
    events: changeOfPlan,
    ending: (processor, sale) => ({ ...until(60)(processor, sale), plan: 'better' }),
  },
  changesBack: {
    days: 40,
    weight: 1,
    events: (processor, sale) => [...changeOfPlan(processor, sale), FULL_SIZE[processor].subscription(sale, 40, 2)],
    ending: until(60),
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
  const { created, created_at: createdAt, occurred_at: occurredAt, timestamp, data } = event;
  if (typeof created === 'number') return created * 1000;
  if (typeof createdAt === 'number') return createdAt;
  const text = occurredAt ?? timestamp ?? (data as { attributes: { updated_at: string } }).attributes.updated_at;
  return Date.parse(text as string);
}

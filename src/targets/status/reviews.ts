import type { WayEvent } from '../../registry/index.js';

/** When a version came to the points of its way at a store; null where it did not, or where the timeline does not say. */
export interface WayTimes {
  readonly submittedAt: Date | null;
  /** When the store had decided, as Pierhead saw it. */
  readonly decidedAt: Date | null;
  readonly liveAt: Date | null;
}

/** How long reviews usually take. */
export interface UsualReview {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Number of reviews that this is drawn from. */
  readonly reviews: number;
}

type Event = Pick<WayEvent, 'version' | 'kind' | 'at'>;

/** Fewer reviews say nothing about the next one. */
const MIN_REVIEWS = 3;
/** Older reviews say little: stores change how they work. */
const MAX_REVIEWS = 20;
/** One review in ten is quicker, and one in ten slower. */
const USUAL = { from: 0.1, to: 0.9 } as const;

const NOT_SENT: WayTimes = { submittedAt: null, decidedAt: null, liveAt: null };

/** A way after another event of the same version. A version that is submitted again begins another review; one whose review was cancelled is as if it had not been sent. */
function after(way: WayTimes, { kind, at }: Event): WayTimes {
  const { submittedAt, decidedAt, liveAt } = way;
  const isInReview = submittedAt !== null && decidedAt === null;
  if (kind === 'phase_in_review') return isInReview ? way : { ...NOT_SENT, submittedAt: at };
  // One platform of an app may be cancelled after another is live.
  if (kind === 'phase_action_required') return liveAt === null ? NOT_SENT : way;
  return {
    submittedAt,
    decidedAt: isInReview ? at : decidedAt,
    liveAt: kind === 'phase_live' ? (liveAt ?? at) : liveAt,
  };
}

/** The way of one version at a target. @param events of that version, newest first. Pure. */
export const wayOf = (events: readonly Event[]): WayTimes => events.reduceRight(after, NOT_SENT);

/** How long the last reviews at a target took, without the quickest and the slowest tenth; null while there were too few. @param events newest first. Pure. */
export function usualReview(events: readonly Event[]): UsualReview | null {
  const ways = new Map<string | null, WayTimes>();
  const seconds: number[] = [];
  for (const event of events.toReversed()) {
    const before = ways.get(event.version) ?? NOT_SENT;
    const way = after(before, event);
    ways.set(event.version, way);
    if (way.submittedAt !== null && way.decidedAt !== null && before.decidedAt === null)
      seconds.push((way.decidedAt.getTime() - way.submittedAt.getTime()) / 1000);
  }
  if (seconds.length < MIN_REVIEWS) return null;
  const last = seconds.slice(-MAX_REVIEWS).toSorted((one, other) => one - other);
  return {
    fromSeconds: Math.round(quantile(last, USUAL.from)),
    toSeconds: Math.round(quantile(last, USUAL.to)),
    reviews: last.length,
  };
}

/** The value below which a share of sorted values lies, between its two neighbours. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

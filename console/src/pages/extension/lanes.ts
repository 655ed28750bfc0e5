import type { components } from '../../../../clients/cli/src/api/schema.js';

type Schemas = components['schemas'];

/** A version at one target, as far as a lane shows it. */
export type Way = Pick<
  Schemas['ReleaseTarget'],
  'state' | 'at' | 'pushedAt' | 'submittedAt' | 'decidedAt' | 'liveAt'
> & { readonly version: string };

/** A stretch of a version's way, from 0 to 1 on the time axis. */
export interface Stretch {
  readonly version: string;
  readonly kind: 'pushed' | 'review' | 'approved' | 'rejected' | 'live' | 'expected';
  readonly from: number;
  readonly to: number;
}

/** The time axis that all lanes share, in milliseconds. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

/** Versions that the axis reaches back to. */
const SHOWN = 5;
/** Room right of the present, as a share of the past. */
const MARGIN = 0.02;

/** A mark on the axis. */
interface Tick {
  readonly time: number;
  readonly at: number;
  /** It is the beginning of a day. */
  readonly isDay: boolean;
}

const ms = (time: string): number => Date.parse(time);

interface Lane {
  /** Newest first. */
  readonly ways: readonly Way[];
  readonly usual: Schemas['Target']['usualReview'];
}

/** When the version in review is likely to be decided about; null where none is, or where too few reviews are known. */
function expectedOf({
  ways,
  usual,
}: Lane): { readonly version: string; readonly from: number; readonly to: number } | null {
  const way = ways.find(({ state, submittedAt }) => state === 'in_review' && submittedAt !== null);
  if (usual === null || !way?.submittedAt) return null;
  const start = ms(way.submittedAt);
  return { version: way.version, from: start + usual.fromSeconds * 1000, to: start + usual.toSeconds * 1000 };
}

/** The axis of several lanes: from the push of the fifth newest version until all reviews are likely to be over. Pure. */
export function axisOf(lanes: readonly Lane[], now: number): Axis | null {
  const pushes = new Map<string, number>();
  for (const { version, pushedAt } of lanes.flatMap(({ ways }) => ways))
    pushes.set(version, Math.min(pushes.get(version) ?? Infinity, ms(pushedAt)));
  const from = [...pushes.values()]
    .toSorted((one, other) => other - one)
    .slice(0, SHOWN)
    .at(-1);
  if (from === undefined) return null;
  const ends = lanes.map((lane) => expectedOf(lane)?.to ?? now);
  // A review that others took weeks for does not squeeze what has happened.
  const to = Math.min(Math.max(now, ...ends), now + (now - from) / 3);
  return { from, to: Math.max(to, from + 60_000) + (now - from) * MARGIN, now };
}

/** The stretches of a way until it went live or ended. */
function wayUp({ version, state, at, pushedAt, submittedAt, decidedAt, liveAt }: Way, now: number): readonly Stretch[] {
  const isOver = ['live', 'superseded', 'failed', 'rejected', 'cancelled'].includes(state);
  const end = liveAt !== null ? ms(liveAt) : isOver ? ms(at) : now;
  const submitted = submittedAt === null ? end : ms(submittedAt);
  const decided = decidedAt === null ? end : ms(decidedAt);
  const isRefused = state === 'rejected' || state === 'failed';
  return [
    { version, kind: 'pushed', from: ms(pushedAt), to: submitted },
    ...(submittedAt === null ? [] : [{ version, kind: 'review', from: submitted, to: decided } as const]),
    ...(isRefused ? [{ version, kind: 'rejected', from: decided, to: decided } as const] : []),
    ...(decidedAt === null || isRefused ? [] : [{ version, kind: 'approved', from: decided, to: end } as const]),
  ];
}

/** The stretches of a lane on the axis, each way before the one that followed it. Pure. */
export function stretchesOf(lane: Lane, axis: Axis): readonly Stretch[] {
  const { ways } = lane;
  const span = axis.to - axis.from;
  const lived = ways
    .filter(({ liveAt }) => liveAt !== null)
    .toSorted((one, other) => ms(one.liveAt ?? '') - ms(other.liveAt ?? ''));
  const live = lived.map(({ version, state, at, liveAt }, index) => {
    const next = lived[index + 1]?.liveAt;
    const to = next ? ms(next) : state === 'live' ? axis.now : ms(at);
    return { version, kind: 'live', from: ms(liveAt ?? ''), to } as const;
  });
  const expected = expectedOf(lane);
  return [
    ...ways.toReversed().flatMap((way) => wayUp(way, axis.now)),
    ...live,
    ...(expected === null ? [] : [{ ...expected, kind: 'expected' } as const]),
  ]
    .map(({ from, to, ...rest }) => ({
      ...rest,
      from: Math.max((Math.min(from, to) - axis.from) / span, 0),
      to: Math.min((to - axis.from) / span, 1),
    }))
    .filter(({ kind, from, to }) => (kind === 'rejected' ? to >= from : to > from));
}

const HOUR_MS = 3_600_000;
/** From one hour to a year of weeks. */
const STEP_HOURS = [1, 3, 6, 12, 24, 48, 168, 336, 672, 2_184, 4_368, 8_736];
const MAX_TICKS = 6;

/** Hours or days to mark on an axis, in the reader's time zone; the last is not after the present. Pure. */
export function ticksOf({ from, to, now }: Axis): readonly Tick[] {
  const hours = (to - from) / HOUR_MS / MAX_TICKS;
  const step = STEP_HOURS.find((one) => one >= hours) ?? Math.ceil(hours / 24) * 24;
  const date = new Date(now);
  const hour = Math.floor(date.getHours() / step) * step;
  const ticks: Tick[] = [];
  for (let back = 0; ; back += step) {
    const time = new Date(date.getFullYear(), date.getMonth(), date.getDate(), hour - back).getTime();
    if (time < from) return ticks.toReversed();
    ticks.push({ time, at: (time - from) / (to - from), isDay: step >= 24 });
  }
}

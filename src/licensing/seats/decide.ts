import { statusOf, type LicenseState } from '../licenses/license-status.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A heartbeat is written when the one before is this old. */
export const HEARTBEAT_MS = HOUR_MS;

/** What activate and check say, and why. Part of the wire contract: a reason may be added, none is renamed. */
export const REASONS = [
  'active',
  'invalid_code',
  'revoked',
  'suspended',
  'expired',
  'seat_limit_reached',
  'seat_not_active',
] as const;
export type Reason = (typeof REASONS)[number];

/** A seat as far as decisions need it. */
export interface SeatFacts {
  readonly id: string;
  readonly lastSeenAt: Date;
  readonly endedAt: Date | null;
}

/** How many devices a license seats, and after how many idle days a seat may be taken over; null never. */
export interface SeatRules {
  readonly maxActivations: number;
  readonly seatIdleDays: number | null;
}

/** What an activation does, besides what it says. */
export type ActivationAct =
  | { readonly act: 'refuse' }
  /** The device has its seat already. */
  | { readonly act: 'keep'; readonly seatId: string }
  /** The device gets a seat, or its former one back (`seatId`), and the seats named end for it. */
  | { readonly act: 'seat'; readonly seatId: string | null; readonly ending: readonly string[] };

export type Activation = { readonly reason: Reason } & ActivationAct;

/**
 * What becomes of a device that wants a seat.
 * @param license null when the code is none of this extension's
 * @param own the seat of this device, also one that has ended
 * @param live every seat that has not ended, its own included
 */
export function decideActivation(
  license: LicenseState | null,
  rules: SeatRules,
  own: SeatFacts | null,
  live: readonly SeatFacts[],
  now: Date,
): Activation {
  const refusal = refusalOf(license, now);
  if (refusal !== null) return { reason: refusal, act: 'refuse' };
  if (own !== null && own.endedAt === null) return { reason: 'active', act: 'keep', seatId: own.id };
  const ending = seatsToEnd(rules, live, now);
  if (ending === null) return { reason: 'seat_limit_reached', act: 'refuse' };
  return { reason: 'active', act: 'seat', seatId: own?.id ?? null, ending };
}

/** What is said to a device that asks whether it is licensed. Seats nobody. */
export function decideCheck(license: LicenseState | null, seat: SeatFacts | null, now: Date): Reason {
  return refusalOf(license, now) ?? (seat === null || seat.endedAt !== null ? 'seat_not_active' : 'active');
}

/** Whether a sign of life is to be written: for a seat that is held, when the last one is an hour old. */
export const isHeartbeatDue = (seat: SeatFacts | null, now: Date): boolean =>
  seat !== null && seat.endedAt === null && now.getTime() - seat.lastSeenAt.getTime() >= HEARTBEAT_MS;

/** Seats last seen before this moment may be taken over; null when none ever may. */
export const idleBefore = (seatIdleDays: number | null, now: Date): Date | null =>
  seatIdleDays === null ? null : new Date(now.getTime() - seatIdleDays * DAY_MS);

/**
 * When a device should ask next: a day from now, a fifth earlier or later by its fingerprint so that devices do not come together,
 * and at the license's end if that is sooner.
 * @param spread 0 to 255, the same each time for one device
 */
export function nextCheckAt(now: Date, spread: number, expiresAt: Date | null): Date {
  const planned = now.getTime() + DAY_MS * (0.8 + (0.4 * spread) / 255);
  const end = expiresAt === null || expiresAt <= now ? Infinity : expiresAt.getTime();
  return new Date(Math.min(planned, end));
}

function refusalOf(license: LicenseState | null, now: Date): Reason | null {
  if (license === null) return 'invalid_code';
  const status = statusOf(license, now);
  return status === 'active' ? null : status;
}

/** The longest idle seats that must end for one more to fit; none while there is room; null when it cannot fit. */
function seatsToEnd(rules: SeatRules, live: readonly SeatFacts[], now: Date): readonly string[] | null {
  const excess = live.length + 1 - rules.maxActivations;
  if (excess <= 0) return [];
  const before = idleBefore(rules.seatIdleDays, now);
  if (before === null) return null;
  const idle = live
    .filter(({ lastSeenAt }) => lastSeenAt < before)
    .toSorted((one, other) => one.lastSeenAt.getTime() - other.lastSeenAt.getTime());
  return idle.length < excess ? null : idle.slice(0, excess).map(({ id }) => id);
}

import { HOUR_MS, DAY_MS } from '../../common/system/index.js';
import { type LicenseFact, refusalKey } from '../events/pure.js';
import type { Reason } from '../leases/index.js';
import { type LicenseState, statusOf } from '../licenses/pure.js';
import { expiredFrom, renewalOf, type LicenseEnd } from '../plans/pure.js';

/** A heartbeat is written when the last one is at least this old. */
export const HEARTBEAT_MS = HOUR_MS;

/** Facts about a seat that the rules need. */
export interface SeatFacts {
  readonly id: string;
  readonly lastSeenAt: Date;
  readonly endedAt: Date | null;
  /** Whose code seated the device: a member of the license; null or absent for the license's own. */
  readonly memberId?: string | null;
}

/** The member of a license whose code a device uses. */
export interface MemberSeats {
  readonly id: string;
  /** Number of devices that the member's code seats now. */
  readonly used: number;
  /** Maximum of that number; null when the license's is the only one. */
  readonly max: number | null;
}

/** Whose code a device uses; absent for the license's own. */
interface ByMember {
  readonly member?: MemberSeats | null;
}

/** Number of devices that a license allows, and of idle days after which another device may take a seat over; null means never. */
export interface SeatRules {
  readonly maxActivations: number;
  readonly seatIdleDays: number | null;
}

/** A license's rules, and the number of devices that hold a seat. */
export interface SeatsTaken extends SeatRules, ByMember {
  readonly used: number;
}

/** Changes that an activation makes. */
export type ActivationAct =
  | { readonly act: 'refuse' }
  /** The device holds a seat already. */
  | { readonly act: 'keep' }
  /** The device gets a new seat, or the one that it had; the seats in `ending` end to make room. */
  | { readonly act: 'seat'; readonly ending: readonly string[] };

export type Activation = { readonly reason: Reason } & ActivationAct;

/**
 * Decides whether a device gets a seat: the one rule of activation. A live seat passes to another person of the license whose code the device uses,
 * within that person's limit.
 * @param license null when no license of the extension has the code
 * @param own the device's seat, live or ended
 * @param live every live seat of the license, the device's own included; those of a license with a free seat are not needed
 */
export function decideActivation(
  license: LicenseState | null,
  rules: SeatsTaken,
  own: SeatFacts | null,
  live: readonly SeatFacts[],
  now: Date,
): Activation {
  const refusal = refusalOf(license, now);
  if (refusal !== null) return { reason: refusal, act: 'refuse' };
  if (isHeld(own, rules)) return { reason: 'active', act: 'keep' };
  const ending = seatsToEnd(rules, own, live, now);
  if (ending === null) return { reason: 'seat_limit_reached', act: 'refuse' };
  return { reason: 'active', act: 'seat', ending };
}

/** Whether a device without a seat gets one only if another device's seat ends. */
export const isFull = ({ used, maxActivations, member }: SeatsTaken): boolean =>
  used >= maxActivations || excessOf(member) > 0;

/** Whether a device holds a seat by the code that it uses. */
export const isHeld = (seat: SeatFacts | null, { member }: ByMember): boolean =>
  seat !== null && isLive(seat) && isOf(seat, member);

/** Decides whether a device is licensed. */
export function decideCheck(license: (LicenseState & ByMember) | null, seat: SeatFacts | null, now: Date): Reason {
  return refusalOf(license, now) ?? (isHeld(seat, license ?? {}) ? 'active' : 'seat_not_active');
}

/** The seats that are taken once a device has got one. Pure. @param ending the ids of those of the `live` seats that ended for it */
export function takenAfter<Taken extends SeatsTaken>(
  taken: Taken,
  own: SeatFacts | null,
  live: readonly SeatFacts[],
  ending: readonly string[],
): Taken {
  const used = taken.used - ending.length + (own !== null && isLive(own) ? 0 : 1);
  const { member } = taken;
  if (!member) return { ...taken, used };
  const ended = live.filter((seat) => ending.includes(seat.id) && isOf(seat, member)).length;
  return { ...taken, used, member: { ...member, used: member.used - ended + 1 } };
}

/** The seats that a device is told: those of its person where each has a limit, else those of the license. Pure. */
export const seatsShown = ({ used, maxActivations, member }: Omit<SeatsTaken, 'seatIdleDays'>): Seats =>
  member == null || member.max === null
    ? { used, max: maxActivations }
    : { used: member.used, max: Math.min(member.max, maxActivations) };

interface Seats {
  readonly used: number;
  readonly max: number;
}

/**
 * Decides whether a device with a replaced code is licensed: it stays so for a while if it holds a seat.
 * @param validUntil from when it needs the new code
 */
export function decideFormerCode(
  license: LicenseState & ByMember,
  seat: SeatFacts | null,
  validUntil: Date,
  now: Date,
): Reason {
  const reason = decideCheck(license, seat, now);
  return reason === 'seat_not_active' || (reason === 'active' && validUntil <= now) ? 'code_replaced' : reason;
}

/** Whether a heartbeat is due: the seat is live, and its last heartbeat is an hour old. */
export const isHeartbeatDue = (seat: SeatFacts | null, now: Date): boolean =>
  seat !== null && seat.endedAt === null && now.getTime() - seat.lastSeenAt.getTime() >= HEARTBEAT_MS;

/** Seats last seen before this moment may be taken over; null means none. */
export const idleBefore = (seatIdleDays: number | null, now: Date): Date | null =>
  seatIdleDays === null ? null : new Date(now.getTime() - seatIdleDays * DAY_MS);

/**
 * When a device should check next: in a day, up to a fifth earlier or later so that devices spread out, and no later than what it knows ends.
 * @param spread 0 to 255, constant for a device
 * @param expiresAt when the license expires, or before that the code of the device
 */
export function nextCheckAt(now: Date, spread: number, expiresAt: Date | null): Date {
  const planned = now.getTime() + DAY_MS * (0.8 + (0.4 * spread) / 255);
  const end = expiresAt === null || expiresAt <= now ? Infinity : expiresAt.getTime();
  return new Date(Math.min(planned, end));
}

/** What an answer says about the end of a license. */
interface ShownEnd {
  readonly expiresAt: Date | null;
  readonly renews?: true;
  readonly renewsAt?: Date;
  readonly updatesUntil?: Date;
  readonly inGraceSince?: Date;
}

/**
 * What a device learns about the end of its license: when it expires after all, and only where they apply its renewal, and the end of updates or of
 * what was bought. While a renewal is to come, its leeway is no part of the end; once it is late, it is. Pure.
 */
export function endShown(license: LicenseEnd, isActive: boolean, now: Date): ShownEnd {
  const { renews, renewsAt } = renewalOf(license);
  const end = license.expiresAt;
  const isLate = end !== null && end <= now;
  const expiresAt = expiredFrom(isLate ? license : { ...license, renewalLeewayHours: null });
  if (end === null || !isActive) return { expiresAt };
  const renewal = renews && renewsAt !== null ? ({ renews, renewsAt } as const) : {};
  if (license.onEnd === 'maintain') return { expiresAt, ...renewal, updatesUntil: end };
  return { expiresAt, ...(isLate && !renews ? { inGraceSince: end } : renewal) };
}

function refusalOf(license: LicenseState | null, now: Date): Reason | null {
  if (license === null) return 'invalid_code';
  const status = statusOf(license, now);
  return status === 'active' ? null : status;
}

const isLive = ({ endedAt }: SeatFacts): boolean => endedAt === null;
const isOf = ({ memberId = null }: SeatFacts, member: MemberSeats | null | undefined): boolean =>
  memberId === (member?.id ?? null);

/** Number of seats of a member that must end before the member's code seats one more device. */
const excessOf = (member: MemberSeats | null | undefined): number =>
  member == null || member.max === null ? 0 : Math.max(0, member.used + 1 - member.max);

/** The seats, longest idle first, that must end to make room for one more: those of the member first; null when too few are idle. */
function seatsToEnd(
  rules: SeatsTaken,
  own: SeatFacts | null,
  live: readonly SeatFacts[],
  now: Date,
): readonly string[] | null {
  const ofMember = excessOf(rules.member);
  const isOneMore = own === null || !isLive(own);
  const excess = isOneMore ? rules.used + 1 - rules.maxActivations : 0;
  if (excess <= 0 && ofMember === 0) return [];
  const before = idleBefore(rules.seatIdleDays, now);
  if (before === null) return null;
  const idle = live
    .filter(({ id, lastSeenAt }) => id !== own?.id && lastSeenAt < before)
    .toSorted((one, other) => one.lastSeenAt.getTime() - other.lastSeenAt.getTime());
  const first = idle.filter((seat) => isOf(seat, rules.member)).slice(0, ofMember);
  const others = idle.filter((seat) => !first.includes(seat)).slice(0, Math.max(0, excess - first.length));
  const ending = [...first, ...others];
  return first.length < ofMember || ending.length < excess ? null : ending.map(({ id }) => id);
}

/** What an activation tells: the seats that it ends, then its own; or that there was none left. */
export function activationFacts(licenseId: string, decision: Activation, now: Date): readonly LicenseFact[] {
  if (decision.act === 'seat') {
    const freed = decision.ending.map(() => ({ kind: 'license.seat_freed', licenseId, reason: 'idle' }) as const);
    return [...freed, { kind: 'license.activated', licenseId, reason: null }];
  }
  if (decision.reason !== 'seat_limit_reached') return [];
  return [{ kind: 'license.seat_refused', licenseId, reason: null, onceKey: refusalKey(licenseId, now) }];
}

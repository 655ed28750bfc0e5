import { newId } from '../../common/fields/pure.js';
import type { Reason } from '../leases/reason.js';
import { decideActivation } from './activation-rule.js';
import type { ExtensionFacts } from '../plans/extension-cache.js';
import type {
  LabelledSeat,
  LicenseFacts,
  LiveSeat,
  SeatKey,
  SeatLookupWithLive,
  SeatToWrite,
} from './seats.repository.js';

/** A device that asks for a seat on a license. */
export interface SeatClaim extends SeatKey {
  readonly licenseId: string;
  /** The device's new label; null keeps the present one. */
  readonly label: string | null;
}

/** The answer to a device, and the facts that it reports. */
export interface SeatOutcome {
  readonly reason: Reason;
  readonly extension: ExtensionFacts;
  readonly license: LicenseFacts | null;
  /** The seat that the device held before it asked. */
  readonly seat: LabelledSeat | null;
  /** The device named a code that was replaced, with which it may go on until this time. */
  readonly formerCodeUntil?: Date;
}

/** The outcomes of claims, and the seats to end and to write for them. */
export interface DecidedClaims {
  readonly outcomes: readonly (SeatOutcome | null)[];
  readonly ended: readonly string[];
  readonly seated: readonly SeatToWrite[];
}

interface KnownSeat extends LiveSeat {
  readonly claim?: SeatToWrite;
}

/**
 * Decides claims one after another: each `decideActivation` sees the seats that the previous claims left.
 * @param found what is true of each claim while its license is locked
 */
export function decideClaims(
  claims: readonly SeatClaim[],
  found: readonly (SeatLookupWithLive | null)[],
  now: Date,
): DecidedClaims {
  const seatsOf = new Map<string, Map<string, KnownSeat>>();
  const outcomes = claims.map((claim, place): SeatOutcome | null => {
    const { extension, license, seat, live } = found[place] ?? NOT_FOUND;
    if (extension === null) return null;
    if (license === null) return { reason: 'invalid_code', extension, license, seat };
    const seats = seatsOf.get(license.id) ?? new Map(live.map((each) => [each.device, each]));
    seatsOf.set(license.id, seats);
    const reason = decideOne(claim, license, seats, seat, now);
    return { reason, extension, license: { ...license, used: liveIn(seats).length }, seat };
  });
  const all = [...seatsOf.values()].flatMap((seats) => [...seats.values()]);
  return {
    outcomes,
    ended: all.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id),
    seated: all.flatMap(({ claim }) => claim ?? []),
  };
}

const NOT_FOUND = { extension: null, license: null, seat: null, live: [] };

const liveIn = (seats: ReadonlyMap<string, KnownSeat>): readonly KnownSeat[] =>
  [...seats.values()].filter(({ endedAt }) => endedAt === null);

/** Decides one claim and changes the known seats of its license accordingly. */
function decideOne(
  { device: digest, label, licenseId }: SeatClaim,
  license: LicenseFacts,
  seats: Map<string, KnownSeat>,
  before: LabelledSeat | null,
  now: Date,
): Reason {
  const device = digest.toString('hex');
  const decision = decideActivation(license, license, seats.get(device) ?? before, liveIn(seats), now);
  if (decision.act !== 'seat') return decision.reason;
  for (const seat of liveIn(seats))
    if (decision.ending.includes(seat.id)) seats.set(seat.device, { ...seat, endedAt: now });
  const id = decision.seatId ?? newId();
  const claim = { id, licenseId, device: digest, label };
  seats.set(device, { id, device, lastSeenAt: now, endedAt: null, claim });
  return decision.reason;
}

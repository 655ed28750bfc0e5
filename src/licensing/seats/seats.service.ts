import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../common/jobs/index.js';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import { CodesService } from '../codes/index.js';
import { entitlementsOf } from '../licenses/pure.js';
import { firstEndMoment, LicenseEventsService } from '../events/index.js';
import { LeaseKeysService, type Reason } from '../leases/index.js';
import { LicenseOrDeviceNotFound, LicensingNotEnabled } from '../licensing.problems.js';
import { CodeLimitsService } from './code-limits.service.js';
import {
  decideActivation,
  decideCheck,
  decideFormerCode,
  activationFacts,
  isFull,
  isHeartbeatDue,
  endShown,
  isHeld,
  nextCheckAt,
  seatsShown,
  takenAfter,
  type Activation,
  type SeatFacts,
} from './activation-rule.js';
import { labelOf } from './devices/device-label.js';
import { fingerprintDigest, fingerprintHash } from './devices/fingerprint.js';
import { endOfDuration, expiredFrom, ExtensionCache, type ExtensionFacts, type LicenseTerm } from '../plans/index.js';
import type { Activate, ActivationAnswer, Check, CheckAnswer, SeatRequest, FreeSeatAnswer } from './licensing.dto.js';
import { SeatCheckBatch } from './seat-check-batch.js';
import { SeatReportsService } from './seat-reports.service.js';
import type { FormerSeatLookup, LabelledSeat, LicenseFacts, SeatCheck, SeatLookup } from './seat-lookup.js';
import { currentDigest, SeatsRepository, type SeatKey } from './seats.repository.js';

/** Number of attempts at a check while other requests keep changing its seat. */
const ATTEMPTS = 3;

/** The answer to a device, and the facts that it reports. */
interface SeatOutcome extends SeatLookup {
  readonly reason: Reason;
  /** The device named a replaced code, which it may use until this time. */
  readonly formerCodeUntil?: Date;
}

interface Decided {
  readonly decision: Activation;
  /** The live seats that it was decided by. */
  readonly live: readonly SeatFacts[];
}

/** Transactions that seat a device, of the ten connections that DATABASE_POOL is by default. */
const SEATINGS_AT_ONCE = 4;
const MAX_WAITING = 5000;

/** Activates, checks and frees devices for installed extensions. */
@Injectable()
export class SeatsService {
  /** A burst of activations must leave connections to everything else. */
  private readonly seatings = new Semaphore(SEATINGS_AT_ONCE, MAX_WAITING);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodesService,
    private readonly limits: CodeLimitsService,
    private readonly seats: SeatsRepository,
    private readonly checks: SeatCheckBatch,
    private readonly cache: ExtensionCache,
    private readonly keys: LeaseKeysService,
    private readonly reports: SeatReportsService,
    private readonly events: LicenseEventsService,
  ) {}

  /** Seats a device. A device that holds a seat keeps it, and is answered without a lock. */
  async activate(input: Activate, address: string): Promise<ActivationAnswer> {
    const { extensionId, key } = this.read(input);
    if (key !== null) await this.limits.countUse('activate', currentDigest(key));
    const label = labelOf(input.deviceInfo) ?? null;
    const outcome = await this.seat(await this.checkSeat(extensionId, key, address), key, label);
    const success = outcome.reason === 'active';
    if (!success) this.reports.countRefused(extensionId, outcome.reason);
    return { success, ...(await this.answer(outcome, extensionId, input, key)) };
  }

  /** Reports whether a device holds a seat, and keeps that seat alive. Never seats a device. */
  async check(input: Check, address: string): Promise<CheckAnswer> {
    const { extensionId, key } = this.read(input);
    return this.answer(await this.checkSeat(extensionId, key, address), extensionId, input, key);
  }

  /** Frees a device's seat for the buyer, also while licensing is turned off. */
  async freeSeat(input: SeatRequest, address: string): Promise<FreeSeatAnswer> {
    const { key } = this.read(input);
    if (key !== null) await this.limits.countUse('release', currentDigest(key));
    const lookup = key === null ? null : await this.seats.find(key);
    const license = lookup?.license ?? null;
    if (key !== null && !holdsSeat(lookup)) await this.refuseGuesses(license, key, address);
    if (key === null || license === null) throw new LicenseOrDeviceNotFound();
    return this.tx.run(async () => {
      const heard = await this.seats.lockLicense(license.id);
      const freed = await this.seats.free(license.id, key.device, this.clock.now(), license.member);
      if (freed === null) throw new LicenseOrDeviceNotFound();
      if (freed)
        await this.events.tellHeard(heard, [{ kind: 'license.seat_freed', licenseId: license.id, reason: 'device' }]);
      return { released: true, seats: seatsShown(await this.countedNow(license)) };
    });
  }

  private async countedNow({ member, ...license }: LicenseFacts): Promise<LicenseFacts> {
    const used = await this.seats.countLive({ licenseId: license.id });
    if (member === null) return { ...license, used, member };
    return { ...license, used, member: { ...member, used: await this.seats.countLive({ memberId: member.id }) } };
  }

  /** Reads the seat that a request names; the key is null when the text cannot be a code. */
  private read(input: SeatRequest): { readonly extensionId: string; readonly key: SeatKey | null } {
    const extensionId = uuidOrNil(input.extensionId);
    const symbols = this.codes.read(extensionId, input.code);
    if (symbols === null) return { extensionId, key: null };
    const device = fingerprintDigest(extensionId, input.fingerprint);
    return { extensionId, key: { extensionId, digests: this.codes.possibleDigests(symbols), device } };
  }

  /** Decides a check. Counts an unknown code. */
  private async checkSeat(extensionId: string, key: SeatKey | null, address: string): Promise<SeatOutcome> {
    const loaded = key === null ? null : await this.checks.load(key);
    const lookup = key === null ? await this.lookUpExtension(extensionId) : enabled(loaded?.lookup);
    const former = key !== null && lookup.license === null ? await this.seats.findFormer(key) : null;
    if (key !== null && !holdsSeat(former ?? lookup))
      await this.refuseGuesses(former?.license ?? lookup.license, key, address);
    if (former !== null) return this.keepAliveFormer(former);
    if (key !== null && loaded !== null && lookup.license !== null) return this.keepAlive(loaded, key);
    return { ...lookup, reason: 'invalid_code' };
  }

  /**
   * Counts an unknown code. What cannot be a code is no guess, and a device that holds a seat is always answered, whoever guesses behind the same
   * address.
   */
  private async refuseGuesses(license: LicenseFacts | null, { device }: SeatKey, address: string): Promise<void> {
    await this.limits.admit(address, device);
    if (license === null) await this.limits.countUnknown(address, device);
  }

  private async lookUpExtension(extensionId: string): Promise<SeatLookup> {
    const cached = this.cache.get(extensionId);
    if (cached !== undefined) return enabled(cached && { extension: cached, license: null, seat: null });
    const lookup = await this.seats.find({ extensionId, digests: [], device: Buffer.alloc(0) });
    this.cache.set(extensionId, lookup?.extension ?? null);
    return enabled(lookup);
  }

  /** Retries while a heartbeat is due but was not written, because another request has changed the seat. */
  private async keepAlive({ lookup: first, heartbeatWritten }: SeatCheck, key: SeatKey): Promise<SeatOutcome> {
    let lookup = first;
    for (let attempt = 1; ; attempt += 1) {
      const now = this.clock.now();
      const { license, seat } = lookup;
      const outcome = { ...lookup, reason: decideCheck(license, seat, now) };
      if (attempt === ATTEMPTS || seat === null || !isHeartbeatDue(seat, now)) return outcome;
      if (attempt === 1 ? heartbeatWritten : await this.seats.touch(seat.id, now)) return outcome;
      lookup = enabled(await this.seats.find(key));
    }
  }

  /** Never seats a device: who holds the license has a newer code. */
  private async keepAliveFormer(former: FormerSeatLookup): Promise<SeatOutcome> {
    const now = this.clock.now();
    const { license, seat, formerCodeUntil } = former;
    const reason = decideFormerCode(license, seat, formerCodeUntil, now);
    if (reason === 'active' && seat !== null && isHeartbeatDue(seat, now)) await this.seats.touch(seat.id, now);
    return { ...former, reason };
  }

  /** Seats a device whose license is active and which only lacks a seat; passes every other outcome through. */
  private async seat(checked: SeatOutcome, key: SeatKey | null, label: string | null): Promise<SeatOutcome> {
    const { license } = checked;
    if (key === null || license === null) return checked;
    const outcome = checked.reason === 'seat_not_active' ? await this.seatLimited(license, key, label) : checked;
    const { reason, seat } = outcome;
    if (reason === 'active' && label !== null && seat?.endedAt === null && seat.label !== label)
      await this.seats.rename(seat.id, label);
    return outcome;
  }

  /** @throws RateLimited when the license has seated too many devices within the hour, which its tenant is told */
  private async seatLimited(license: LicenseFacts, key: SeatKey, label: string | null): Promise<SeatOutcome> {
    await this.limits.admitDevice(license);
    const outcome = await this.seatings.run(() => this.tx.run(() => this.seatLocked(license.id, key, label)));
    if (outcome.reason === 'active' && (await this.limits.countDevice(license)))
      await this.reports.tellMoving(license.id);
    return outcome;
  }

  /** Decides an activation once the license and the device are locked, and carries it out in the same transaction. @throws LicensingNotEnabled */
  private async seatLocked(licenseId: string, key: SeatKey, label: string | null): Promise<SeatOutcome> {
    const heard = await this.seats.lockForSeat(licenseId, key.device);
    // Read only now, because a statement sees what was committed when it began.
    const lookup = enabled(await this.seats.find(key));
    const { license, seat } = lookup;
    // A code may have moved to another license, which is not locked.
    if (license?.id !== licenseId) return { ...lookup, license: null, seat: null, reason: 'invalid_code' };
    const now = this.clock.now();
    const { decision, live } = await this.decideLocked(license, seat, now);
    await this.events.tellHeard(heard, activationFacts(licenseId, decision, now));
    if (decision.act !== 'seat') return { ...lookup, reason: decision.reason };
    const { ending, reason } = decision;
    if (ending.length > 0) await this.seats.end(ending, now);
    const trialId = await this.seats.seat(license, key.device, label, now);
    if (trialId !== null)
      await this.events.tellHeard(heard, [{ kind: 'license.trial_ended', trialId, reason: 'converted' }]);
    const begun = { ...license, ...(await this.begin(license, now)) };
    return { ...lookup, license: takenAfter(begun, seat, live, ending), reason };
  }

  /** Begins the duration of a license that waited for its first activation. */
  private async begin(license: LicenseFacts, now: Date): Promise<LicenseTerm> {
    const { id, duration, expiresAt } = license;
    if (duration === null) return { duration, expiresAt };
    const begun = { duration: null, expiresAt: endOfDuration(now, duration) };
    await this.seats.begin(id, begun.expiresAt, firstEndMoment({ ...license, ...begun }, now), now);
    return begun;
  }

  private async decideLocked(license: LicenseFacts, seat: LabelledSeat | null, now: Date): Promise<Decided> {
    const decide = (live: readonly SeatFacts[]): Decided => ({
      decision: decideActivation(license, license, seat, live, now),
      live,
    });
    const first = decide(isFull(license) ? await this.seats.findLive(license.id) : []);
    if (first.decision.act !== 'seat' || first.decision.ending.length === 0) return first;
    // A heartbeat does not lock the license and may have revived a seat that is about to end: lock the seats and decide again.
    return decide(await this.seats.findLiveForNoKeyUpdate(license.id));
  }

  /** Moves a code that was used to the current pepper. */
  private async rehash({ extensionId, device }: SeatKey, code: string, license: LicenseFacts): Promise<void> {
    const symbols = this.codes.isOutdated(license.codePepper) ? this.codes.read(extensionId, code) : null;
    if (symbols !== null) await this.seats.rehash(license, device, this.codes.digestOf(symbols));
  }

  private async answer(
    { reason, extension, license, formerCodeUntil }: SeatOutcome,
    extensionId: string,
    input: Check,
    key: SeatKey | null,
  ): Promise<CheckAnswer> {
    if (formerCodeUntil === undefined && key !== null && license !== null) await this.rehash(key, input.code, license);
    const now = this.clock.now();
    const { id, tier, ...facts } = license ?? NO_LICENSE;
    const isActive = reason === 'active';
    const { expiresAt, ...ending } = endShown(facts, isActive, now);
    const answer = { isActive, reason, tier };
    const entitlements = isActive ? entitlementsOf(facts.entitlements) : [];
    const codeValidUntil = isActive ? (formerCodeUntil ?? null) : null;
    const lease = await this.keys.lease(extension.keyId, {
      ...answer,
      entitlements,
      expiresAt: earlier(expiredFrom(facts), codeValidUntil),
      updatesUntil: ending.updatesUntil ?? null,
      extensionId,
      licenseId: id,
      fingerprintHash: fingerprintHash(input.fingerprint),
      offlineGraceDays: extension.offlineGraceDays,
      nonce: input.nonce ?? null,
    });
    const device = key?.device ?? fingerprintDigest(extensionId, input.fingerprint);
    return {
      ...answer,
      seats: seatsShown(facts),
      expiresAt,
      ...(codeValidUntil === null ? {} : { codeValidUntil }),
      nextCheckAt: nextCheckAt(now, device[0] ?? 0, earlier(expiresAt, codeValidUntil)),
      lease,
      ...(entitlements.length === 0 ? {} : { entitlements }),
      ...ending,
    };
  }
}

const NO_END = { expiresAt: null, graceDays: 0, onEnd: 'expire', renewalLeewayHours: null } as const;
const NO_LICENSE = { id: null, tier: null, entitlements: [], ...NO_END, used: 0, maxActivations: 0 };

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || other === null ? (one ?? other) : one < other ? one : other;

const holdsSeat = (lookup: SeatLookup | null): boolean =>
  lookup !== null && lookup.license !== null && isHeld(lookup.seat, lookup.license);

function enabled<Lookup extends { readonly extension: ExtensionFacts }>(lookup: Lookup | null | undefined): Lookup {
  if (!lookup?.extension.isEnabled) throw new LicensingNotEnabled();
  return lookup;
}

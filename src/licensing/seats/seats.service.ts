import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { idOrAbsent } from '../../common/fields/index.js';
import { CodeDigests } from '../codes/code-digests.js';
import { readCode } from '../codes/code.js';
import { LeaseKeys } from '../leases/lease-keys.service.js';
import { LicenseBook } from '../licenses/license-book.js';
import { LicenseOrDeviceNotFound, LicensingNotEnabled } from '../licensing.problems.js';
import { CodeLimits } from './code-limits.js';
import { decideActivation, decideCheck, isHeartbeatDue, nextCheckAt, type Activation, type Reason } from './decide.js';
import { labelOf } from './device-label.js';
import { fingerprintDigest, fingerprintHash } from './fingerprint.js';
import { FreeSeats } from './free-seats.js';
import { KnownExtensions, type ExtensionFacts } from './known-extensions.js';
import type { Activate, ActivationAnswer, Check, CheckAnswer, PublicRelease, ReleaseAnswer } from './licensing.dto.js';
import { SeatLooks, type Look } from './seat-looks.js';
import { currentDigest, SeatStore, type Found, type LicenseFacts, type Presented } from './seat-store.js';

/** How often a check looks again because the seat changed under it; each time somebody else has made progress. */
const LOOKS = 3;

/** What is said, and about what. */
interface Verdict {
  readonly reason: Reason;
  readonly extension: ExtensionFacts;
  readonly license: LicenseFacts | null;
}

/** What installed extensions ask: to seat a device, whether it is seated, and to free its seat. */
@Injectable()
export class SeatsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodeDigests,
    private readonly limits: CodeLimits,
    private readonly store: SeatStore,
    private readonly looks: SeatLooks,
    private readonly seats: FreeSeats,
    private readonly known: KnownExtensions,
    private readonly book: LicenseBook,
    private readonly keys: LeaseKeys,
  ) {}

  /**
   * Seats a device. Done again it changes nothing.
   * @throws LicensingNotEnabled, RateLimited, Overloaded
   */
  async activate(input: Activate, address: string): Promise<ActivationAnswer> {
    const { extensionId, presented } = this.read(input);
    if (presented !== null) await this.limits.byCode('activate', currentDigest(presented));
    const verdict = await this.seat(extensionId, presented, labelOf(input.deviceInfo) ?? null, address);
    if (this.isOutdated(verdict.license)) await this.moveToCurrentPepper(input.code, verdict.license);
    const answer = await this.answer(verdict, extensionId, input, presented);
    return { success: answer.isActive, ...answer };
  }

  /**
   * Says whether a device holds a seat, and keeps that seat alive. Never seats one.
   * @throws LicensingNotEnabled, RateLimited, Overloaded
   */
  async check(input: Check, address: string): Promise<CheckAnswer> {
    const { extensionId, presented } = this.read(input);
    const look = presented === null ? null : await this.looks.look(presented);
    const found = presented === null ? await this.lookUp(extensionId, presented) : enabled(look?.found);
    const verdict =
      found.license === null || presented === null || look === null
        ? await this.unknown(found.extension, address)
        : await this.keepAlive(look, presented);
    if (this.isOutdated(found.license)) await this.moveToCurrentPepper(input.code, found.license);
    return this.answer(verdict, extensionId, input, presented);
  }

  /** Frees a device's seat, for the buyer: also when licensing is switched off. @throws LicenseOrDeviceNotFound, RateLimited */
  async release(input: PublicRelease, address: string): Promise<ReleaseAnswer> {
    const { presented } = this.read(input);
    if (presented !== null) await this.limits.byCode('release', currentDigest(presented));
    const license = presented === null ? null : ((await this.store.find(presented))?.license ?? null);
    if (presented === null || license === null) {
      await this.limits.miss(address);
      throw new LicenseOrDeviceNotFound();
    }
    return this.tx.run(async () => {
      if (!(await this.store.lock(license.id))) throw new LicenseOrDeviceNotFound();
      return this.free(license.id, presented.device, license.maxActivations);
    });
  }

  /** Frees a device's seat, for the tenant. @throws LicenseOrDeviceNotFound */
  async releaseFor(tenantId: string, licenseId: string, fingerprint: string): Promise<ReleaseAnswer> {
    return this.tx.run(async () => {
      const license = await this.book.lock(tenantId, licenseId);
      if (license === null) throw new LicenseOrDeviceNotFound();
      const max = license.maxActivations ?? (await this.book.planSeats(license));
      return this.free(licenseId, fingerprintDigest(license.extensionId, fingerprint), max);
    });
  }

  /** What a request presents; null instead of it when the code is none by its own check symbols. */
  private read(input: PublicRelease): { readonly extensionId: string; readonly presented: Presented | null } {
    const extensionId = idOrAbsent(input.extensionId);
    const symbols = readCode(input.code);
    if (symbols === null) return { extensionId, presented: null };
    const device = fingerprintDigest(extensionId, input.fingerprint);
    return { extensionId, presented: { extensionId, digests: this.codes.candidates(symbols), device } };
  }

  /** @throws LicensingNotEnabled */
  private async lookUp(extensionId: string, presented: Presented | null): Promise<Found> {
    const remembered = presented === null ? this.known.recall(extensionId) : undefined;
    const found =
      remembered === undefined
        ? await this.store.find(presented ?? { extensionId, digests: [], device: Buffer.alloc(0) })
        : remembered && { extension: remembered, license: null, seat: null };
    return enabled(found);
  }

  private async unknown(extension: ExtensionFacts, address: string): Promise<Verdict> {
    await this.limits.miss(address);
    return { reason: 'invalid_code', extension, license: null };
  }

  /** In one round trip where a seat is free; else by what is found, looked at twice. */
  private async seat(
    extensionId: string,
    presented: Presented | null,
    label: string | null,
    address: string,
  ): Promise<Verdict> {
    const taken = presented === null ? null : await this.seats.take(presented, label);
    if (taken !== null) return { reason: 'active', ...taken };
    const found = await this.lookUp(extensionId, presented);
    return found.license === null || presented === null
      ? this.unknown(found.extension, address)
      : this.weigh(found, found.license, presented, label);
  }

  /** Refuses on what one look shows; seats under the license's lock, on what is true once it is held. */
  private async weigh(found: Found, seen: LicenseFacts, presented: Presented, label: string | null): Promise<Verdict> {
    const { activation: early, used: held } = await this.decideOn(seen, presented, '');
    if (early.act === 'refuse')
      return { reason: early.reason, extension: found.extension, license: { ...seen, used: held } };
    return this.tx.run(async () => {
      const isThere = await this.store.lock(seen.id);
      const { extension, license } = isThere ? await this.again(found, presented) : gone(found);
      if (license === null) return { reason: 'invalid_code', extension, license };
      const activation = await this.decide(license, presented);
      const used = await this.carryOut(license, activation, presented, label);
      return { reason: activation.reason, extension, license: { ...license, used } };
    });
  }

  private async decideOn(
    license: LicenseFacts,
    { device }: Presented,
    lock: '' | 'for update',
  ): Promise<{ readonly activation: Activation; readonly used: number }> {
    const seats = await this.store.seatsOf(license.id, device, lock);
    const own = seats.find(({ isOwn }) => isOwn) ?? null;
    const live = seats.filter(({ endedAt }) => endedAt === null);
    return { activation: decideActivation(license, license, own, live, this.clock.now()), used: live.length };
  }

  private async decide(license: LicenseFacts, presented: Presented): Promise<Activation> {
    const { activation: first } = await this.decideOn(license, presented, '');
    // A heartbeat takes no lock on the license: whoever ends a seat decides again with all seats held still.
    return first.act === 'seat' && first.ending.length > 0
      ? (await this.decideOn(license, presented, 'for update')).activation
      : first;
  }

  /** @returns the seats held now */
  private async carryOut(
    license: LicenseFacts,
    activation: Activation,
    { device }: Presented,
    label: string | null,
  ): Promise<number> {
    const now = this.clock.now();
    if (activation.act === 'keep') {
      await this.store.touch(activation.seatId, now);
      if (label !== null) await this.store.rename(activation.seatId, label);
    }
    if (activation.act === 'seat') {
      if (activation.ending.length > 0) await this.store.end(activation.ending, now);
      if (activation.seatId === null) await this.store.add(license.id, device, label, now);
      else await this.store.revive(activation.seatId, label, now);
      return license.used - activation.ending.length + 1;
    }
    return license.used;
  }

  private async keepAlive(first: Look, presented: Presented): Promise<Verdict> {
    let { found } = first;
    for (let look = 1; ; look += 1) {
      const now = this.clock.now();
      const { extension, license, seat } = found;
      const reason = decideCheck(license, seat, now);
      if (look === LOOKS || seat === null || !isHeartbeatDue(seat, now)) return { reason, extension, license };
      if (look === 1 ? first.isTouched : await this.store.touch(seat.id, now)) return { reason, extension, license };
      found = await this.again(found, presented);
    }
  }

  private async again(found: Found, presented: Presented): Promise<Found> {
    return (await this.store.find(presented)) ?? gone(found);
  }

  private async free(licenseId: string, device: Buffer, max: number): Promise<ReleaseAnswer> {
    if (!(await this.store.release(licenseId, device, this.clock.now()))) throw new LicenseOrDeviceNotFound();
    return { released: true, seats: { used: await this.store.count(licenseId), max } };
  }

  private isOutdated(license: LicenseFacts | null): boolean {
    return license !== null && this.codes.isOutdated(license.codePepper);
  }

  private async moveToCurrentPepper(code: string, license: LicenseFacts | null): Promise<void> {
    const symbols = readCode(code);
    if (symbols !== null && license !== null)
      await this.store.rehash(license.id, license.codePepper, this.codes.keep(symbols));
  }

  private async answer(
    { reason, extension, license }: Verdict,
    extensionId: string,
    input: Check,
    presented: Presented | null,
  ): Promise<CheckAnswer> {
    const now = this.clock.now();
    const said = {
      isActive: reason === 'active',
      reason,
      tier: license?.tier ?? null,
      expiresAt: license?.expiresAt ?? null,
    };
    const lease = await this.keys.lease(extension.keyId, {
      ...said,
      extensionId,
      licenseId: license?.id ?? null,
      fingerprintHash: fingerprintHash(input.fingerprint),
      graceDays: extension.offlineGraceDays,
      nonce: input.nonce ?? null,
    });
    const device = presented?.device ?? fingerprintDigest(extensionId, input.fingerprint);
    return {
      isActive: said.isActive,
      reason,
      tier: said.tier,
      seats: { used: license?.used ?? 0, max: license?.maxActivations ?? 0 },
      expiresAt: said.expiresAt,
      nextCheckAt: nextCheckAt(now, device[0] ?? 0, said.expiresAt),
      lease,
    };
  }
}

/** @throws LicensingNotEnabled */
function enabled(found: Found | null | undefined): Found {
  if (!found?.extension.isEnabled) throw new LicensingNotEnabled();
  return found;
}

/** What is known once the license or its extension has been deleted meanwhile. */
const gone = ({ extension }: Found): Found => ({ extension, license: null, seat: null });

import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { Clock, MINUTE_MS, HOUR_MS, DAY_MS } from '../../common/system/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { isOwnClaim, uuidOrNil } from '../../common/fields/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { CodesService } from '../codes/index.js';
import { DeviceCodesRepository, type LicenseEntity, LicenseLifecycleService } from '../licenses/index.js';
import { fingerprintDigest, SeatsRepository } from '../seats/index.js';
import { claimDigest } from './claim-token.js';
import { CLAIM_RANDOM_BYTES, isClaimOf, writeDeviceClaim } from './device-claim.js';
import type { CodeClaimEntity } from './code-claim.entity.js';
import { CodeClaimsRepository } from './code-claims.repository.js';
import type { Claim, ClaimedCode } from './delivery.dto.js';
import { ClaimNotFound } from './delivery.problems.js';

const CLAIMABLE_MS = DAY_MS;
/** Longest delay of the token: a checkout makes several notifications, in any order, and only some carry its metadata. */
const TOKEN_LATE_MS = HOUR_MS;

/** A new code, which its buyer may claim. */
interface NewClaim {
  readonly license: Pick<LicenseEntity, 'id' | 'extensionId'>;
  /** Null for one of the device's own, which is made once the device claims it. */
  readonly code: string | null;
  /** Null when no notification has carried a token yet. */
  readonly tokenDigest: string | null;
}

const purposeOf = (id: string): string => `code-claim:${id}`;

/** Keeps codes for who has a claim token: the seller's page, which sets it at checkout, or the device that bought or was restored. */
@Injectable()
export class CodeClaimsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
    private readonly seats: SeatsRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly codes: CodesService,
    private readonly deviceCodes: DeviceCodesRepository,
    private readonly claims: CodeClaimsRepository,
  ) {}

  onModuleInit(): void {
    this.lifecycle.beforeCodeReplaced.add(({ id }) => this.claims.deleteOf(id));
  }

  /** Keeps new codes, sealed, inside the current transaction. A token that an earlier code of the extension has is ignored. */
  async addAll(codes: readonly NewClaim[]): Promise<void> {
    if (codes.length === 0) return;
    const taken = await this.takenAmong(codes);
    const rows = codes.map(async ({ license: { id: licenseId, extensionId }, code, tokenDigest }) => {
      const row = newRow(this.clock.now());
      const key = keyOf({ extensionId, tokenDigest });
      const hasToken = tokenDigest !== null && !taken.has(key);
      taken.add(key);
      return {
        ...row,
        licenseId,
        extensionId,
        tokenDigest: hasToken ? tokenDigest : null,
        sealed: code === null ? null : await this.sealer.seal(code, purposeOf(row.id)),
        expiresAt: new Date(row.createdAt.getTime() + (hasToken ? CLAIMABLE_MS : TOKEN_LATE_MS)),
      };
    });
    await this.claims.insert(await Promise.all(rows));
  }

  /** Gives a code that has no token yet its token, inside the current transaction. */
  async setToken(licenseId: string, tokenDigest: string): Promise<void> {
    const claim = await this.claims.findWithoutToken(licenseId);
    const now = this.clock.now();
    if (claim === null || claim.expiresAt <= now) return;
    if ((await this.takenAmong([{ license: claim, tokenDigest }])).size > 0) return;
    await this.claims.setToken(claim.id, tokenDigest, new Date(claim.createdAt.getTime() + CLAIMABLE_MS), now);
  }

  /** Makes a token with which only one device can claim a code. Nothing is stored. @param device SHA-256 of extension and fingerprint */
  newDeviceClaim(device: Buffer): { readonly claimToken: string; readonly expiresAt: Date } {
    const expiresAt = new Date(this.clock.now().getTime() + CLAIMABLE_MS);
    const claim = { device, until: expiresAt };
    return { claimToken: writeDeviceClaim(this.config.tokenSecret, claim, randomBytes(CLAIM_RANDOM_BYTES)), expiresAt };
  }

  /** Returns the code of a token. A token that this service made is good for its device alone, again and again: an answer may be lost. */
  async claim({ extensionId, claimToken, fingerprint = '' }: Claim): Promise<ClaimedCode> {
    const id = uuidOrNil(extensionId);
    const digest = claimDigest(claimToken) ?? '';
    const device = fingerprintDigest(id, fingerprint);
    const isOwn = isOwnClaim(claimToken);
    const isRefused = isOwn && !isClaimOf(this.config.tokenSecret, claimToken, device, this.clock.now());
    const code = isRefused
      ? null
      : await this.tx.run(() => (isOwn ? this.codeFor(device, id, digest) : this.takeCode(id, digest)));
    if (code === null) throw new ClaimNotFound(this.config.smtpUrl !== undefined);
    return { code };
  }

  /** Deletes codes that were not claimed in time. */
  @Interval('code-claim-cleanup', 5 * MINUTE_MS)
  async deleteExpired(): Promise<void> {
    await this.claims.deleteExpired(this.clock.now());
  }

  private async takeCode(extensionId: string, tokenDigest: string): Promise<string | null> {
    const claim = await this.claims.take(extensionId, tokenDigest, this.clock.now());
    return claim === null ? null : this.codeIn(claim);
  }

  /** Finds the code of a device, or makes it. */
  private async codeFor(device: Buffer, extensionId: string, tokenDigest: string): Promise<string | null> {
    const now = this.clock.now();
    const found = await this.claims.findToken(extensionId, tokenDigest, now);
    if (found === null || found.sealed !== null) return found && this.codeIn(found);
    // Another request may make the code, or withdraw it, while this one waits for the lock.
    await this.seats.lockLicense(found.licenseId);
    const claim = await this.claims.findToken(extensionId, tokenDigest, now);
    if (claim === null || claim.sealed !== null) return claim && this.codeIn(claim);
    const { code, stored } = this.codes.make();
    await this.deviceCodes.replace(claim.licenseId, device, stored, now);
    await this.claims.setSealed(claim.id, await this.sealer.seal(code, purposeOf(claim.id)), now);
    return code;
  }

  private async codeIn({ id, sealed }: Pick<CodeClaimEntity, 'id' | 'sealed'>): Promise<string> {
    return (await this.sealer.unseal(sealed ?? '', purposeOf(id))) as string;
  }

  /** The keys of the tokens among these that codes have already. */
  private async takenAmong(codes: readonly Pick<NewClaim, 'license' | 'tokenDigest'>[]): Promise<Set<string>> {
    const tokens = codes.flatMap(({ tokenDigest }) => tokenDigest ?? []);
    const extensionIds = codes.map(({ license }) => license.extensionId);
    return new Set((await this.claims.findTokens(extensionIds, tokens)).map(keyOf));
  }
}

const keyOf = ({ extensionId, tokenDigest }: Pick<CodeClaimEntity, 'extensionId' | 'tokenDigest'>): string =>
  `${extensionId} ${tokenDigest}`;

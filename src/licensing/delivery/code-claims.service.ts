import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/system/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { idOrAbsent } from '../../common/fields/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { LicenseBook } from '../licenses/license-book.js';
import { type LicenseEntity } from '../licenses/license.entity.js';
import { claimDigest } from './claim-token.js';
import { CodeClaimEntity } from './code-claim.entity.js';
import type { Claim, ClaimedCode } from './delivery.dto.js';
import { ClaimNotFound } from './delivery.problems.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CLAIMABLE_MS = 24 * HOUR_MS;
/** A processor tells of one checkout in several notifications, in any order, and only some carry its metadata: so long the token may be late. */
const TOKEN_LATE_MS = HOUR_MS;

const purposeOf = (id: string): string => `code-claim:${id}`;

/** Codes that wait for the page that sold them: a shop names a token at checkout, and shows the code to whoever has it, once. */
@Injectable()
export class CodeClaims implements OnModuleInit {
  private readonly log = new Logger(CodeClaims.name);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
    private readonly book: LicenseBook,
  ) {}

  onModuleInit(): void {
    this.book.codeEnding.add(async ({ id }) => {
      await this.tx.repository(CodeClaimEntity).delete({ licenseId: id });
    });
  }

  /**
   * Keeps a new code, sealed, for whoever has the token, inside the transaction under way.
   * @param tokenDigest null when no token was named yet; a token that waits for another code already is none
   */
  async keep({ id: licenseId, extensionId }: LicenseEntity, code: string, tokenDigest: string | null): Promise<void> {
    const row = newRow(this.clock.now());
    const sealed = await this.sealer.seal(code, purposeOf(row.id));
    await this.tx.query(
      `insert into code_claim (id, created_at, updated_at, license_id, extension_id, sealed, expires_at)
       values ($1, $2, $2, $3, $4, $5, $6)`,
      [row.id, row.createdAt, licenseId, extensionId, sealed, new Date(row.createdAt.getTime() + TOKEN_LATE_MS)],
    );
    if (tokenDigest !== null) await this.name(licenseId, tokenDigest);
  }

  /** Names the token of a code that waits without one, inside the transaction under way. */
  async name(licenseId: string, tokenDigest: string): Promise<void> {
    const claims = this.tx.repository(CodeClaimEntity);
    const claim = await claims.findOneBy({ licenseId });
    const now = this.clock.now();
    if (claim === null || claim.tokenDigest !== null || claim.expiresAt <= now) return;
    if (await claims.existsBy({ extensionId: claim.extensionId, tokenDigest })) return;
    const expiresAt = new Date(claim.createdAt.getTime() + CLAIMABLE_MS);
    await claims.update({ id: claim.id }, { tokenDigest, expiresAt, updatedAt: now });
  }

  /** Shows a code to whoever has its token, and forgets it. @throws ClaimNotFound */
  async claim({ extensionId, claimToken }: Claim): Promise<ClaimedCode> {
    return this.tx.run(async () => {
      const [claim] = await this.tx.query<Pick<CodeClaimEntity, 'id' | 'sealed'>>(
        `delete from code_claim where extension_id = $1 and token_digest = $2 and expires_at > $3 returning id, sealed`,
        [idOrAbsent(extensionId), claimDigest(claimToken), this.clock.now()],
      );
      if (claim === undefined) throw new ClaimNotFound();
      return { code: (await this.sealer.unseal(claim.sealed, purposeOf(claim.id))) as string };
    });
  }

  /** Forgets the codes that nobody has claimed in time. */
  @Interval(5 * MINUTE_MS)
  async forget(): Promise<void> {
    try {
      await this.tx.query('delete from code_claim where expires_at <= $1', [this.clock.now()]);
    } catch (error) {
      this.log.error({ msg: 'unclaimed codes were not forgotten', err: error });
    }
  }
}

import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { CodeClaimEntity } from './code-claim.entity.js';

/** The driver's own statement: each order adds a code. */
const INSERT = {
  name: 'insert_code_claims',
  text: `
    insert into code_claim (id, created_at, updated_at, license_id, extension_id, token_digest, sealed, expires_at)
    select * from json_to_recordset($1)
      as (id uuid, "createdAt" timestamptz, "updatedAt" timestamptz, "licenseId" uuid, "extensionId" uuid, "tokenDigest" text, sealed text,
          "expiresAt" timestamptz)`,
};

/** Codes that a seller's page may claim. */
@Injectable()
export class CodeClaimsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds codes that wait for their token or their claim. */
  async insert(claims: readonly Omit<CodeClaimEntity, 'license' | 'extension'>[]): Promise<void> {
    await this.tx.prepared(INSERT, [JSON.stringify(claims)]);
  }

  /** Finds the code of a license that waits for its token. */
  findWithoutToken(licenseId: string): Promise<CodeClaimEntity | null> {
    return this.rows.findOneBy({ licenseId, tokenDigest: IsNull() });
  }

  /** Finds those of the tokens that codes of the extensions have. */
  async findTokens(
    extensionIds: readonly string[],
    tokenDigests: readonly string[],
  ): Promise<readonly Pick<CodeClaimEntity, 'extensionId' | 'tokenDigest'>[]> {
    if (tokenDigests.length === 0) return [];
    return this.rows.find({
      select: { extensionId: true, tokenDigest: true },
      where: { extensionId: In([...extensionIds]), tokenDigest: In([...tokenDigests]) },
    });
  }

  /** Gives a code its token and the time until which it can be claimed. */
  async setToken(id: string, tokenDigest: string, expiresAt: Date, updatedAt: Date): Promise<void> {
    await this.rows.update({ id }, { tokenDigest, expiresAt, updatedAt });
  }

  /** Deletes the code that has a token and returns it. Raw SQL: only one of two requests may get it. */
  async take(
    extensionId: string,
    tokenDigest: string,
    now: Date,
  ): Promise<Pick<CodeClaimEntity, 'id' | 'sealed'> | null> {
    const [claim = null] = await this.tx.query<Pick<CodeClaimEntity, 'id' | 'sealed'>>(
      `delete from code_claim where extension_id = $1 and token_digest = $2 and expires_at > $3 returning id, sealed`,
      [extensionId, tokenDigest, now],
    );
    return claim;
  }

  /** Finds the code that has a token, which stays. */
  findToken(extensionId: string, tokenDigest: string, now: Date): Promise<CodeClaimEntity | null> {
    return this.rows.findOneBy({ extensionId, tokenDigest, expiresAt: MoreThan(now) });
  }

  /** Keeps the code that was made for a device. */
  async setSealed(id: string, sealed: string, updatedAt: Date): Promise<void> {
    await this.rows.update({ id }, { sealed, updatedAt });
  }

  async deleteOf(licenseId: string): Promise<void> {
    await this.rows.delete({ licenseId });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<CodeClaimEntity> {
    return this.tx.repository(CodeClaimEntity);
  }
}

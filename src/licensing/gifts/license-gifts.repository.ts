import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, Not, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { LicenseGiftEntity } from './license-gift.entity.js';

/** Gift links. */
@Injectable()
export class LicenseGiftsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(gifts: readonly LicenseGiftEntity[]): Promise<void> {
    await this.rows.insert([...gifts]);
  }

  /** Finds a link with its license, plan and extension. */
  find(tokenDigest: string): Promise<LicenseGiftEntity | null> {
    return this.rows.findOne({ where: { tokenDigest }, relations: { license: { plan: true, extension: true } } });
  }

  async redeem(
    id: string,
    redeemed: Pick<LicenseGiftEntity, 'redeemedAt' | 'browserDigest' | 'sealed' | 'updatedAt'>,
  ): Promise<void> {
    await this.rows.update({ id }, redeemed);
  }

  /** Withdraws the link of a license whose code is being replaced. One that was used stays known as such. */
  async withdraw(licenseId: string): Promise<void> {
    await this.rows.delete({ licenseId, redeemedAt: IsNull() });
    await this.rows.update({ licenseId, sealed: Not(IsNull()) }, { sealed: null });
  }

  /** Forgets codes of links that were used until a time. */
  async forgetCodesUntil(time: Date): Promise<void> {
    await this.rows.update({ sealed: Not(IsNull()), redeemedAt: LessThanOrEqual(time) }, { sealed: null });
  }

  private get rows(): Repository<LicenseGiftEntity> {
    return this.tx.repository(LicenseGiftEntity);
  }
}

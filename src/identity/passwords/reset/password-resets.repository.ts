import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Transactions } from '../../../common/database/index.js';
import { PasswordResetEntity } from './password-reset.entity.js';

/** Links by which users set a new password. */
@Injectable()
export class PasswordResetsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds the link of a user, in place of an earlier one. */
  async replace(link: Omit<PasswordResetEntity, 'user'>): Promise<void> {
    await this.tx.repository(PasswordResetEntity).upsert(link, ['userId']);
  }

  /** Finds the user of a link that is still valid. */
  async findUser(secretDigest: string, now: Date): Promise<string | null> {
    const link = await this.tx.repository(PasswordResetEntity).findOneBy({ secretDigest, expiresAt: MoreThan(now) });
    return link?.userId ?? null;
  }

  /** Deletes a link that is still valid; returns whether this call did, because only one of several may use it. */
  async take(secretDigest: string, now: Date): Promise<boolean> {
    const { affected } = await this.tx
      .repository(PasswordResetEntity)
      .delete({ secretDigest, expiresAt: MoreThan(now) });
    return affected === 1;
  }

  /** Deletes the link of a user. */
  async deleteOf(userId: string): Promise<void> {
    await this.tx.repository(PasswordResetEntity).delete({ userId });
  }
}

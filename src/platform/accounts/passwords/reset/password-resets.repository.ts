import { Injectable } from '@nestjs/common';
import { MoreThan, MoreThanOrEqual } from 'typeorm';
import { Transactions } from '../../../../common/database/index.js';
import { PasswordResetEntity } from './password-reset.entity.js';

/** A link as it is stored. */
export type NewReset = Omit<PasswordResetEntity, 'user'>;

/** Links by which users set a new password. */
@Injectable()
export class PasswordResetsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds the link of a user, in place of an earlier one. */
  async replace(link: NewReset): Promise<void> {
    await this.tx.repository(PasswordResetEntity).upsert(link, ['userId']);
  }

  /** Finds the link of a user if it was made at a time or later. */
  findOf(userId: string, since: Date): Promise<NewReset | null> {
    return this.tx.repository(PasswordResetEntity).findOneBy({ userId, createdAt: MoreThanOrEqual(since) });
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

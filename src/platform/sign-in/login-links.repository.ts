import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { LoginLinkEntity } from './login-link.entity.js';

/** Log-in links that have not been used. */
@Injectable()
export class LoginLinksRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a link. */
  async insert(link: Omit<LoginLinkEntity, 'user'>): Promise<void> {
    await this.tx.repository(LoginLinkEntity).insert(link);
  }

  /** Deletes a link that is still valid and returns its user. Raw SQL: only one of two requests may get it. */
  async take(secretDigest: string, now: Date): Promise<string | null> {
    const [link] = await this.tx.query<{ readonly user_id: string }>(
      'delete from login_link where secret_digest = $1 and expires_at > $2 returning user_id',
      [secretDigest, now],
    );
    return link?.user_id ?? null;
  }

  /** Deletes the links of a user. */
  async deleteOf(userId: string): Promise<void> {
    await this.tx.repository(LoginLinkEntity).delete({ userId });
  }

  /** Deletes the links that have expired. */
  async deleteExpired(now: Date): Promise<void> {
    await this.tx.repository(LoginLinkEntity).delete({ expiresAt: LessThanOrEqual(now) });
  }
}

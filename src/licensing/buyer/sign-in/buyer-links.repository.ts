import { Injectable } from '@nestjs/common';
import { Any, LessThanOrEqual } from 'typeorm';
import { Transactions } from '../../../common/database/index.js';
import { BuyerLinkEntity } from '../buyer.entity.js';

/** Links that were mailed to buyers and have not been used. */
@Injectable()
export class BuyerLinksRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(link: BuyerLinkEntity): Promise<void> {
    await this.tx.repository(BuyerLinkEntity).insert(link);
  }

  /** Deletes a link that is still valid and returns its buyer. Raw SQL: only one of two requests may get it. */
  async take(secretDigest: string, now: Date): Promise<string | null> {
    const [link] = await this.tx.query<Pick<BuyerLinkEntity, 'email'>>(
      'delete from buyer_link where secret_digest = $1 and expires_at > $2 returning email',
      [secretDigest, now],
    );
    return link?.email ?? null;
  }

  async deleteOf(emails: readonly string[]): Promise<void> {
    await this.tx.repository(BuyerLinkEntity).delete({ email: Any([...emails]) });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.tx.repository(BuyerLinkEntity).delete({ expiresAt: LessThanOrEqual(now) });
  }
}

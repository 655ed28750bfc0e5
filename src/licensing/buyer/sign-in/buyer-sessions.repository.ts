import { Injectable } from '@nestjs/common';
import { Any, LessThanOrEqual, type Repository } from 'typeorm';
import { Transactions } from '../../../common/database/index.js';
import { BuyerSessionEntity } from '../buyer.entity.js';

/** Sessions of buyers. */
@Injectable()
export class BuyerSessionsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(session: BuyerSessionEntity): Promise<void> {
    await this.rows.insert(session);
  }

  find(secretDigest: string): Promise<BuyerSessionEntity | null> {
    return this.rows.findOneBy({ secretDigest });
  }

  async delete(secretDigest: string): Promise<void> {
    await this.rows.delete({ secretDigest });
  }

  async deleteOf(emails: readonly string[]): Promise<void> {
    await this.rows.delete({ email: Any([...emails]) });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<BuyerSessionEntity> {
    return this.tx.repository(BuyerSessionEntity);
  }
}

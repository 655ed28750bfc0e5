import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { SessionEntity } from './session.entity.js';

/** Sessions of users. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a session. */
  async insert(session: Omit<SessionEntity, 'membership'>): Promise<void> {
    await this.rows.insert(session);
  }

  /** Finds a session with its user and the user's role in the tenant, by the hash of its secret. */
  async findByHash(secretHash: string): Promise<SessionEntity | null> {
    // `findOne` would run two statements for a joined relation.
    const [session = null] = await this.rows.find({
      where: { secretHash },
      relations: { membership: { user: true } },
    });
    return session;
  }

  /** Moves the end of a session. */
  async extend(id: string, expiresAt: Date, updatedAt: Date): Promise<void> {
    await this.rows.update({ id }, { expiresAt, updatedAt });
  }

  /** Ends a session. */
  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /** Deletes the sessions of a user that have expired. */
  async deleteExpired(userId: string, now: Date): Promise<void> {
    await this.rows.delete({ userId, expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<SessionEntity> {
    return this.tx.repository(SessionEntity);
  }
}

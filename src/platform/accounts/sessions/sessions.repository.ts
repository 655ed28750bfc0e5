import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual, MoreThan, Not, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../../../common/database/index.js';
import type { PageStart } from '../../../common/fields/index.js';
import { TenantNotFound } from '../accounts.problems.js';
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

  /** Finds a session of a user, with the user and the user's role in the tenant. */
  async find(userId: string, id: string): Promise<SessionEntity | null> {
    const [session = null] = await this.rows.find({ where: { id, userId }, relations: { membership: { user: true } } });
    return session;
  }

  /** Finds a session that has not expired. */
  findById(id: string, now: Date): Promise<SessionEntity | null> {
    return this.rows.findOneBy({ id, expiresAt: MoreThan(now) });
  }

  /** Returns one row more than the page holds, newest first, without those that have expired. */
  list(userId: string, { limit, after }: PageStart, now: Date): Promise<readonly SessionEntity[]> {
    return this.rows.find({
      where: { userId, id: LessThan(after), expiresAt: MoreThan(now) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
  }

  /** Switches a session to another tenant. @throws TenantNotFound when its user is not a member there */
  async setTenant(id: string, tenantId: string, updatedAt: Date): Promise<void> {
    await onConstraint(() => this.rows.update({ id }, { tenantId, updatedAt }), {
      session_user_id_tenant_id_fkey: () => new TenantNotFound(),
    });
  }

  /** Locks a session at a tenant until the transaction ends. @returns false when it is at another tenant, or has ended */
  async lockAt(id: string, tenantId: string): Promise<boolean> {
    return (await this.rows.findOne({ where: { id, tenantId }, lock: { mode: 'pessimistic_read' } })) !== null;
  }

  /** Records a use of a session. */
  async setUsed(
    id: string,
    use: Pick<SessionEntity, 'lastSeenAt' | 'device' | 'country' | 'updatedAt'> & { readonly expiresAt?: Date },
  ): Promise<void> {
    await this.rows.update({ id }, use);
  }

  /** Records when a session showed the second factor. */
  async setSecondFactorAt(id: string, secondFactorAt: Date): Promise<void> {
    await this.rows.update({ id }, { secondFactorAt });
  }

  /** Reads when a session last showed the second factor. */
  async secondFactorAt(id: string): Promise<Date | null> {
    return (
      (await this.rows.findOne({ select: { id: true, secondFactorAt: true }, where: { id } }))?.secondFactorAt ?? null
    );
  }

  /** Ends a session; returns whether the user had it. */
  async delete(userId: string, id: string): Promise<boolean> {
    return (await this.rows.delete({ id, userId })).affected === 1;
  }

  /** Ends all sessions of a user but one, and with them the tokens they were exchanged for; returns whether there were any. */
  async deleteOthers(userId: string, keptId: string): Promise<boolean> {
    return (await this.rows.delete({ userId, id: Not(keptId) })).affected !== 0;
  }

  /** Ends all sessions of a user, and with them the tokens they were exchanged for. */
  async deleteAllOf(userId: string): Promise<void> {
    await this.rows.delete({ userId });
  }

  /** Deletes the sessions of a user that have expired. */
  async deleteExpired(userId: string, now: Date): Promise<void> {
    await this.rows.delete({ userId, expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<SessionEntity> {
    return this.tx.repository(SessionEntity);
  }
}

import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../../../common/database/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import type { PageStart } from '../../../common/fields/index.js';
import { InvitationEntity } from './invitation.entity.js';

/** A row without its relations. */
export type InvitationRow = Omit<InvitationEntity, 'inviter'>;

/** Invitations that have not been accepted. An expired one stays until the tenant invites again. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds an invitation. @throws Unauthenticated when its sender has just left the tenant */
  async insert(invitation: InvitationRow): Promise<void> {
    await onConstraint(() => this.rows.insert(invitation), {
      invitation_invited_by_tenant_id_fkey: () => new Unauthenticated('Session'),
    });
  }

  /** Returns one row more than the page holds, with the members who invited, newest first, without expired invitations. */
  list(tenantId: string, { limit, after }: PageStart, now: Date): Promise<readonly InvitationEntity[]> {
    // `find` would run two statements for a page with joined relations.
    return this.rows
      .createQueryBuilder('invitation')
      .leftJoinAndSelect('invitation.inviter', 'inviter')
      .leftJoinAndSelect('inviter.user', 'user')
      .where({ tenantId, id: LessThan(after), expiresAt: MoreThan(now) })
      .orderBy('invitation.id', 'DESC')
      .limit(limit + 1)
      .getMany();
  }

  /** Counts the invitations of a tenant. */
  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId });
  }

  /** Finds a valid invitation, with the member who invited and the tenant. */
  async find(secretDigest: string, now: Date): Promise<InvitationEntity | null> {
    // `findOne` would run two statements for a joined relation.
    const [invitation = null] = await this.rows.find({
      where: { secretDigest, expiresAt: MoreThan(now) },
      relations: { inviter: { tenant: true, user: true } },
    });
    return invitation;
  }

  /** Finds an invitation of a tenant. */
  findOwn(tenantId: string, id: string): Promise<InvitationEntity | null> {
    return this.rows.findOneBy({ tenantId, id });
  }

  /** Lists the valid invitations of an address, with the members who invited and the tenants, oldest first. */
  listOfEmail(email: string, now: Date): Promise<readonly InvitationEntity[]> {
    return this.rows.find({
      where: { email, expiresAt: MoreThan(now) },
      relations: { inviter: { tenant: true } },
      order: { id: 'ASC' },
    });
  }

  /** Deletes an invitation, so that one of several simultaneous requests uses it. @returns whether it was there */
  async take(id: string): Promise<boolean> {
    return (await this.rows.delete({ id })).affected === 1;
  }

  /** Finds a tenant's invitation of an address. */
  findOfEmail(tenantId: string, email: string): Promise<InvitationEntity | null> {
    return this.rows.findOneBy({ tenantId, email });
  }

  /** Deletes the tenant's expired invitations. */
  async deleteExpired(tenantId: string, now: Date): Promise<void> {
    await this.rows.delete({ tenantId, expiresAt: LessThanOrEqual(now) });
  }

  /** Deletes the invitations that a user has sent. */
  async deleteOf(invitedBy: string): Promise<void> {
    await this.rows.delete({ invitedBy });
  }

  private get rows(): Repository<InvitationEntity> {
    return this.tx.repository(InvitationEntity);
  }
}

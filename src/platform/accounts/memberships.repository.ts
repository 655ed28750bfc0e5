import { Injectable } from '@nestjs/common';
import { In, LessThan, type Repository } from 'typeorm';
import type { Role } from '../../common/access/index.js';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { MembershipEntity } from './membership.entity.js';

/** A row without its relations. */
export type MembershipRow = Omit<MembershipEntity, 'tenant' | 'user'>;

/** Memberships of users in tenants. */
@Injectable()
export class MembershipsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a user to a tenant. */
  async insert(membership: MembershipRow): Promise<void> {
    await this.rows.insert(membership);
  }

  /** Makes a user an owner of a tenant, as a member or a new one. */
  async makeOwner(membership: MembershipRow): Promise<void> {
    const { tenantId, userId, role, updatedAt } = membership;
    const { affected } = await this.rows.update({ tenantId, userId }, { role, updatedAt });
    if (affected === 0) await this.insert(membership);
  }

  /** Lists a user's memberships with user and tenant, oldest first. */
  listOfUser(userId: string): Promise<readonly MembershipEntity[]> {
    return this.rows.find({ where: { userId }, relations: { tenant: true, user: true }, order: { id: 'ASC' } });
  }

  /** Locks a user's memberships against deletion until the transaction ends, so that a new session can refer to one. */
  async lockForKeyShare(userId: string): Promise<void> {
    await this.rows.find({ select: { id: true }, where: { userId }, lock: { mode: 'for_key_share' } });
  }

  /** Returns one row more than the page holds, with users, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly MembershipEntity[]> {
    // `find` would run two statements for a page with joined relations.
    return this.rows
      .createQueryBuilder('member')
      .leftJoinAndSelect('member.user', 'user')
      .where({ tenantId, id: LessThan(after) })
      .orderBy('member.id', 'DESC')
      .limit(limit + 1)
      .getMany();
  }

  /** Finds the e-mail addresses of a tenant's owners. */
  async findOwners(tenantId: string): Promise<readonly string[]> {
    const rows = await this.rows.find({
      where: { tenantId, role: 'owner' },
      relations: { user: true },
      order: { id: 'ASC' },
    });
    return rows.flatMap(({ user }) => user?.email ?? []);
  }

  /** Counts the members of a tenant. */
  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId });
  }

  /** Finds the users of a tenant who have one of these roles, oldest members first. */
  async findWith(
    tenantId: string,
    roles: readonly Role[],
  ): Promise<readonly { readonly userId: string; readonly email: string }[]> {
    const rows = await this.rows.find({
      where: { tenantId, role: In(roles) },
      relations: { user: true },
      order: { id: 'ASC' },
    });
    return rows.flatMap(({ userId, user }) => (user === undefined ? [] : [{ userId, email: user.email }]));
  }

  /** Counts the members of a tenant who have one of these roles. */
  countWith(tenantId: string, roles: readonly Role[]): Promise<number> {
    return this.rows.countBy({ tenantId, role: In(roles) });
  }

  /** Whether a tenant has a member with this e-mail address. */
  existsByEmail(tenantId: string, email: string): Promise<boolean> {
    return this.rows.existsBy({ tenantId, user: { email } });
  }

  /** Locks all members of a tenant, in one order, until the transaction ends; sessions and tokens may refer to them meanwhile. */
  findAllForUpdate(tenantId: string): Promise<readonly MembershipEntity[]> {
    return this.rows.find({ where: { tenantId }, order: { id: 'ASC' }, lock: { mode: 'for_no_key_update' } });
  }

  /** Changes a member's role. */
  async setRole(id: string, role: Role, updatedAt: Date): Promise<void> {
    await this.rows.update({ id }, { role, updatedAt });
  }

  /** Reads a member with the user. */
  getWithUser(id: string): Promise<MembershipEntity> {
    return this.rows.findOneOrFail({ where: { id }, relations: { user: true } });
  }

  /** Ends a membership, and with it the sessions, tokens and invitations that refer to it. */
  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  private get rows(): Repository<MembershipEntity> {
    return this.tx.repository(MembershipEntity);
  }
}

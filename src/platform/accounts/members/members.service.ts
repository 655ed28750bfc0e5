import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/index.js';
import type { SessionCaller } from '../../../common/access/index.js';
import { newRow, timeOfChange, Transactions } from '../../../common/database/index.js';
import { Precondition } from '../../../common/http/index.js';
import { pageFrom, type Page, type PageQuery } from '../../../common/fields/index.js';
import { NothingToUpdate, RoleNotAllowed, Unauthenticated } from '../../../common/problems/index.js';
import { Clock } from '../../../common/system/index.js';
import type { MembershipEntity } from '../membership.entity.js';
import type { UserEntity } from '../user.entity.js';
import { MembershipsRepository } from '../memberships.repository.js';
import { refusalOf, type MemberChange } from './member-rules.js';
import type { Member, UpdateMember } from './members.dto.js';
import { LastOwner, MemberNotFound, OwnerRequired } from './members.problems.js';

/** Members of a tenant. Changes of one tenant's members wait for each other, so that an owner always remains. */
@Injectable()
export class MembersService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly memberships: MembershipsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Lists the tenant's members, newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<Member>> {
    return pageFrom(query, (start) => this.memberships.list(tenantId, start), toMember);
  }

  /** Changes a member's role. */
  update(
    { tenantId, userId: by }: SessionCaller,
    userId: string,
    { role }: UpdateMember,
    expected: Precondition,
  ): Promise<Member> {
    return this.tx.run(async () => {
      const member = await this.findChangeable(tenantId, { by, userId, to: role });
      expected.check(member);
      if (member.role === role) throw new NothingToUpdate();
      const before = { role: member.role };
      await this.memberships.setRole(member.id, role, timeOfChange(member, this.clock.now()));
      const changed = toMember(await this.memberships.getWithUser(member.id));
      const after = { role: changed.role };
      await this.audit.record(tenantId, 'member.role_changed', { id: userId, ...changed }, { before, after });
      return changed;
    });
  }

  /** Removes a member, with effect from the member's next request. */
  remove({ tenantId, userId: by }: SessionCaller, userId: string, expected: Precondition): Promise<void> {
    return this.tx.run(async () => {
      const { id, updatedAt } = await this.findChangeable(tenantId, { by, userId, to: null });
      expected.check({ updatedAt });
      const member = { id: userId, ...toMember(await this.memberships.getWithUser(id)) };
      await this.memberships.delete(id);
      const action = by === userId ? 'member.left' : 'member.removed';
      await this.audit.record(tenantId, action, member, { before: member });
    });
  }

  /** Ends the caller's own membership. */
  leave(caller: SessionCaller): Promise<void> {
    return this.remove(caller, caller.userId, Precondition.NONE);
  }

  /** Makes a user an owner of a tenant, as a member or a new one, for the operator. */
  makeOwner(tenantId: string, { id: userId, email }: Pick<UserEntity, 'id' | 'email'>): Promise<void> {
    return this.tx.run(async () => {
      const known = (await this.memberships.listOfUser(userId)).find((one) => one.tenantId === tenantId);
      const member = { id: userId, email, role: 'owner' } as const;
      await this.memberships.makeOwner({ ...newRow(this.clock.now()), tenantId, userId, role: member.role });
      if (known === undefined) return this.audit.record(tenantId, 'member.joined', member, { after: member });
      const before = { ...member, role: known.role };
      return this.audit.record(tenantId, 'member.role_changed', member, { before, after: member });
    });
  }

  private async findChangeable(tenantId: string, change: MemberChange): Promise<MembershipEntity> {
    const members = await this.memberships.findAllForUpdate(tenantId);
    const refusal = refusalOf(members, change);
    const member = members.find(({ userId }) => userId === change.userId);
    if (refusal === 'asker_not_member') throw new Unauthenticated('Session');
    if (refusal === 'member_not_found' || member === undefined) throw new MemberNotFound();
    if (refusal === 'owner_required') throw new OwnerRequired();
    if (refusal === 'last_owner') throw new LastOwner();
    const asker = members.find(({ userId }) => userId === change.by);
    if (refusal === 'role_not_allowed') throw new RoleNotAllowed(asker?.role ?? '', 'members:write');
    return member;
  }
}

const toMember = ({ userId, user, role, createdAt, updatedAt }: MembershipEntity): Member => {
  if (user === undefined) throw new Error('Members are read with their users');
  return { userId, email: user.email, role, createdAt, updatedAt };
};

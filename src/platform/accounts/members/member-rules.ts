import type { Role } from '../../../common/access/index.js';

/** Facts about a member that the rules need. */
export interface MemberRole {
  readonly userId: string;
  readonly role: Role;
}

/** A change of a member's role; `to` is null where the member leaves or is removed. */
export interface MemberChange {
  /** The member who asks for it. */
  readonly by: string;
  readonly userId: string;
  readonly to: Role | null;
}

/** Why a change of a member is refused. */
export type MemberRefusal =
  'asker_not_member' | 'member_not_found' | 'role_not_allowed' | 'owner_required' | 'last_owner';

/** Whether a member with a role may take a role from someone, or give one. `null` means no role. */
export function canChangeRole(by: Role, from: Role | null, to: Role | null): boolean {
  return by === 'owner' || (by === 'admin' && from !== 'owner' && to !== 'owner');
}

/**
 * Decides about a change of a member, given all members of the tenant. Everyone may leave; a tenant keeps an owner.
 * @returns why the change is refused; null when it may be made
 */
export function refusalOf(members: readonly MemberRole[], { by, userId, to }: MemberChange): MemberRefusal | null {
  const asker = members.find((member) => member.userId === by);
  const member = members.find((one) => one.userId === userId);
  if (asker === undefined) return 'asker_not_member';
  if (member === undefined) return 'member_not_found';
  const leaves = by === userId && to === null;
  if (!leaves && !canChangeRole(asker.role, member.role, to))
    return asker.role === 'admin' ? 'owner_required' : 'role_not_allowed';
  const owners = members.filter(({ role }) => role === 'owner').length;
  return member.role === 'owner' && to !== 'owner' && owners === 1 ? 'last_owner' : null;
}

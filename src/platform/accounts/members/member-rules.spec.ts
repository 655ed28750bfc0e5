import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ROLES, type Role } from '../../../common/access/roles.js';
import { canChangeRole, refusalOf, type MemberRefusal } from './member-rules.js';

describe('a change of a member', () => {
  const members = [
    { userId: 'olga', role: 'owner' },
    { userId: 'adam', role: 'admin' },
    { userId: 'paul', role: 'publisher' },
  ] as const;

  it.each<[string, string, Role | null, MemberRefusal | null]>([
    ['olga', 'adam', 'owner', null],
    ['olga', 'adam', null, null],
    ['olga', 'olga', 'viewer', 'last_owner'],
    ['olga', 'olga', null, 'last_owner'],
    ['olga', 'olga', 'owner', null],
    ['olga', 'nina', 'viewer', 'member_not_found'],
    ['adam', 'paul', 'support', null],
    ['adam', 'paul', 'admin', null],
    ['adam', 'paul', null, null],
    ['adam', 'paul', 'owner', 'owner_required'],
    ['adam', 'adam', 'owner', 'owner_required'],
    ['adam', 'olga', 'viewer', 'owner_required'],
    ['adam', 'olga', null, 'owner_required'],
    ['adam', 'adam', 'viewer', null],
    ['adam', 'adam', null, null],
    ['paul', 'paul', null, null],
    ['paul', 'paul', 'admin', 'role_not_allowed'],
    ['paul', 'adam', null, 'role_not_allowed'],
    ['nina', 'paul', null, 'asker_not_member'],
  ])('by %s that makes %s %s is refused with %s', (by, userId, to, refusal) => {
    expect(refusalOf(members, { by, userId, to })).toBe(refusal);
  });

  it('by one of two owners may end the ownership of either', () => {
    const two = [...members, { userId: 'oscar', role: 'owner' }] as const;
    for (const userId of ['olga', 'oscar'])
      for (const to of [null, 'viewer'] as const) expect(refusalOf(two, { by: 'olga', userId, to })).toBeNull();
  });

  it('never gives anyone more than the asker has, and never leaves a tenant without an owner', () => {
    const role = fc.constantFrom(...ROLES);
    const tenant = fc.array(role, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(tenant, fc.nat(4), fc.nat(4), fc.option(role), (roles, by, at, to) => {
        const all = roles.map((one, index) => ({ userId: String(index), role: one }));
        if (refusalOf(all, { by: String(by), userId: String(at), to }) !== null) return;
        const after = all.flatMap((one) =>
          one.userId !== String(at) ? [one] : to === null ? [] : [{ ...one, role: to }],
        );
        const hasOwner = (some: readonly { readonly role: Role }[]): boolean =>
          some.some((one) => one.role === 'owner');
        expect(hasOwner(after)).toBe(hasOwner(all) || to === 'owner');
        if (to === 'owner') expect(all[by]?.role).toBe('owner');
      }),
    );
  });

  it.each<[Role, Role | null, Role | null, boolean]>([
    ['owner', null, 'owner', true],
    ['admin', null, 'admin', true],
    ['admin', null, 'owner', false],
    ['owner', 'owner', null, true],
    ['admin', 'admin', null, true],
    ['admin', 'owner', null, false],
    ['publisher', null, 'viewer', false],
    ['support', null, 'viewer', false],
    ['viewer', null, 'viewer', false],
  ])('allows %s to change %s into %s: %s', (by, from, to, allowed) => {
    expect(canChangeRole(by, from, to)).toBe(allowed);
  });
});

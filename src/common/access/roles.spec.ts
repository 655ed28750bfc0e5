import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  allows,
  lacks,
  may,
  ROLE_PERMISSIONS,
  ROLES,
  rolesWith,
  SCOPES,
  type Permission,
  type Role,
  type Rights,
  type Scope,
} from './roles.js';

describe('a scope', () => {
  it.each<[readonly Scope[], Permission, boolean]>([
    [['extensions:read'], 'extensions:read', true],
    [['extensions:write'], 'extensions:read', true],
    [['extensions:read'], 'extensions:write', false],
    [['licenses:write'], 'extensions:read', false],
    [['extensions:write'], 'extensions:write', true],
    [['licenses:write'], 'licenses:read', true],
    [['licenses:read'], 'licenses:export', true],
    [['licenses:write'], 'licenses:export', true],
    [['extensions:read'], 'licenses:export', false],
    [['artifacts:write'], 'extensions:read', false],
    [['licenses:read', 'extensions:write'], 'licenses:write', false],
    [['*'], 'artifacts:write', true],
    [[], 'analytics:read', false],
    [['credentials:write'], 'credentials:write', true],
    [['credentials:write'], 'credentials:read', false],
    [['*'], 'credentials:write', false],
    [['*'], 'members:read', false],
    [['*'], 'audit:read', false],
    [['*', 'audit:read'], 'audit:read', true],
    [['*'], 'account', false],
  ])('of %j allows %s: %s', (held, needed, allowed) => {
    expect(allows(held, needed)).toBe(allowed);
  });
});

describe('a role', () => {
  const WITH: Readonly<Record<Permission, readonly Role[]>> = {
    'extensions:read': ['owner', 'admin', 'publisher', 'support', 'viewer'],
    'extensions:write': ['owner', 'admin', 'publisher'],
    'artifacts:write': ['owner', 'admin', 'publisher'],
    'licenses:read': ['owner', 'admin', 'support', 'viewer'],
    'licenses:write': ['owner', 'admin', 'support'],
    'licenses:export': ['owner', 'admin', 'support'],
    'analytics:read': ['owner', 'admin', 'publisher', 'support', 'viewer'],
    'credentials:read': ['owner', 'admin', 'publisher', 'viewer'],
    'credentials:write': ['owner', 'admin'],
    'tokens:read': ['owner', 'admin'],
    'tokens:write': ['owner', 'admin'],
    'members:read': ['owner', 'admin', 'publisher', 'support', 'viewer'],
    'members:write': ['owner', 'admin'],
    'audit:read': ['owner', 'admin'],
    'tenant:write': ['owner'],
    account: ['owner', 'admin', 'publisher', 'support', 'viewer'],
  };
  it.each(Object.entries(WITH) as [Permission, readonly Role[]][])('with %s is one of %j', (permission, roles) => {
    expect(rolesWith(permission)).toEqual(roles);
  });

  it('names no permission twice', () => {
    for (const role of ROLES) expect(new Set(ROLE_PERMISSIONS[role]).size).toBe(ROLE_PERMISSIONS[role].length);
  });
});

describe('a caller', () => {
  it.each<[Rights, Permission, 'scope' | 'role' | null]>([
    [{ scopes: null, role: 'owner' }, 'tenant:write', null],
    [{ scopes: null, role: 'viewer' }, 'extensions:write', 'role'],
    [{ scopes: ['*'], role: null }, 'licenses:write', null],
    [{ scopes: ['*'], role: 'publisher' }, 'licenses:write', 'role'],
    [{ scopes: ['licenses:read'], role: 'support' }, 'licenses:export', null],
    [{ scopes: ['licenses:read'], role: 'viewer' }, 'licenses:export', 'role'],
    [{ scopes: ['extensions:read'], role: 'owner' }, 'extensions:write', 'scope'],
    [{ scopes: ['extensions:read'], role: 'viewer' }, 'extensions:write', 'scope'],
    [{ scopes: ['credentials:write'], role: 'publisher' }, 'credentials:write', 'role'],
  ])('with %j lacks for %s: %s', (rights, needed, missing) => {
    expect(lacks(rights, needed)).toBe(missing);
  });

  it('with a token can do nothing that the role of its creator cannot do', () => {
    fc.assert(
      fc.property(
        fc.subarray([...SCOPES]),
        fc.constantFrom(...ROLES),
        fc.constantFrom(...ROLE_PERMISSIONS.owner),
        (scopes, role, permission) => {
          const byToken = lacks({ scopes, role }, permission) === null;
          expect(byToken && lacks({ scopes: null, role }, permission) !== null).toBe(false);
        },
      ),
    );
  });
});

it.each([
  ['user', true],
  ['token', false],
])('of a %s, scopes count for tokens alone: %s', (kind, allowed) => {
  expect(may({ actor: { kind }, role: 'owner', scopes: [] }, 'extensions:read')).toBe(allowed);
});

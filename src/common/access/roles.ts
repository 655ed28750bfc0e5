/** Roles of the members of a tenant. */
export const ROLES = ['owner', 'admin', 'publisher', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The scopes that `*` means. */
const EVERYDAY_SCOPES = [
  'extensions:read',
  'extensions:write',
  'artifacts:write',
  'licenses:read',
  'licenses:write',
  'analytics:read',
] as const;

/** Scopes that concern more than extensions. They must be named: `*` does not include them. */
export const TENANT_SCOPES = ['credentials:write', 'members:read', 'audit:read'] as const;

/** Scopes that an access token may have. */
export const SCOPES = [...EVERYDAY_SCOPES, '*', ...TENANT_SCOPES] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that a route may require of an access token. */
export type ScopePermission = Exclude<Scope, '*'>;

/** Permissions that no token can have. `account` is a person's own account. */
const OF_PEOPLE = ['credentials:read', 'tokens:read', 'tokens:write', 'members:write', 'account'] as const;

/** Permissions that fewer roles than tokens have: a token has each with the scope beside it. */
const BY_SCOPE = { 'licenses:export': 'licenses:read' } as const satisfies Readonly<Record<string, ScopePermission>>;

/** A permission that a route may require of an access token. */
export type TokenPermission = ScopePermission | keyof typeof BY_SCOPE;

/** A permission that a route may require. */
export type Permission = TokenPermission | (typeof OF_PEOPLE)[number] | 'tenant:write';

const isByScope = (permission: Permission): permission is keyof typeof BY_SCOPE => permission in BY_SCOPE;

/** Returns the scope by which a token has a permission. */
export const scopeOf = (permission: TokenPermission): ScopePermission =>
  isByScope(permission) ? BY_SCOPE[permission] : permission;

const READS = ['extensions:read', 'analytics:read', 'members:read', 'account'] as const;
const ADMIN = [...EVERYDAY_SCOPES, 'licenses:export', ...TENANT_SCOPES, ...OF_PEOPLE] as const;

/** Permissions of each role. An admin may change members, but not owners (`canChangeRole`). */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: [...ADMIN, 'tenant:write'],
  admin: ADMIN,
  publisher: [...READS, 'extensions:write', 'artifacts:write', 'credentials:read'],
  support: [...READS, 'licenses:read', 'licenses:write', 'licenses:export'],
  viewer: [...READS, 'licenses:read', 'credentials:read'],
};

/** Returns the roles that have a permission. */
export const rolesWith = (permission: Permission): readonly Role[] =>
  ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permission));

/** Whether the scopes of a token include what a route requires. Only everyday scopes follow from another one: `credentials:write` reads nothing. */
export function allows(held: readonly Scope[], permission: Permission): boolean {
  const needed = isByScope(permission) ? scopeOf(permission) : permission;
  if (held.some((scope) => scope === needed)) return true;
  if (!EVERYDAY_SCOPES.some((scope) => scope === needed)) return false;
  const [kind, action] = needed.split(':');
  return held.includes('*') || (action === 'read' && held.some((scope) => scope === `${kind}:write`));
}

/** Permissions of a caller: a token's scopes, and for anyone with a role no more than the role. */
export interface Rights {
  /** Null for a session, which only its role limits. */
  readonly scopes: readonly Scope[] | null;
  /** Of the session's user, or of the token's creator; null for a token that nobody's role limits. */
  readonly role: Role | null;
}

/** Says what a caller lacks for a permission; null when nothing. */
export function lacks({ scopes, role }: Rights, needed: Permission): 'scope' | 'role' | null {
  if (scopes !== null && !allows(scopes, needed)) return 'scope';
  return role !== null && !ROLE_PERMISSIONS[role].includes(needed) ? 'role' : null;
}

/** Whether a caller may do something. The token of a session may do what the session may, whatever its scopes. */
export const may = (
  { actor, role, scopes }: Rights & { readonly actor: { readonly kind: string } },
  permission: Permission,
): boolean => lacks({ role, scopes: actor.kind === 'user' ? null : scopes }, permission) === null;

import type { Schemas } from '../../api';

export type Role = Schemas['Member']['role'];
export type Scope = Schemas['TrustRule']['scopes'][number];

/** Permissions of each role, the most powerful first. */
export const ROLES: Readonly<Record<Role, string>> = {
  owner: 'Everything, including exporting and deleting the workspace',
  admin: 'Everything but deleting the workspace and changing owners',
  publisher: 'Publish extensions; no licenses, no members',
  support: 'Licenses and buyers; publishes nothing',
  viewer: 'View everything but change nothing',
};

/** Permissions that each scope gives a token. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  'artifacts:write': 'Push versions',
  'extensions:read': 'See extensions, targets and events',
  'extensions:write': 'Change extensions and targets',
  'licenses:read': 'See licenses and buyers',
  'licenses:write': 'Issue and change licenses',
  'analytics:read': 'See analytics',
  'credentials:write': 'Replace credentials of stores',
  'members:read': 'See members',
  'audit:read': 'Read the audit log',
};

/** All scopes, the most common first. */
export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

/** The scopes of a token in words. */
export const inWords = (scopes: readonly (Scope | '*')[]): string =>
  scopes.map((scope) => (scope === '*' ? 'Everything that concerns extensions' : SCOPES[scope])).join(', ');

/** Options of a `Select` of roles. */
export const ROLE_OPTIONS = (Object.keys(ROLES) as readonly Role[]).map((value) => ({ value, label: value }));

/** Number of extensions, in words; null is all of them. */
export const extensionsInWords = (ids: readonly string[] | null): string =>
  ids === null ? 'all extensions' : ids.length === 1 ? 'one extension' : `${ids.length} extensions`;

import type { Caller } from '../../common/access/index.js';
import { lacks, type Permission } from '../../common/access/pure.js';

/** The collections of the API that a change may be told of, each with what a caller must be allowed to hear of it. */
export const RESOURCES = {
  extensions: 'extensions:read',
  targets: 'extensions:read',
  artifacts: 'extensions:read',
  releases: 'extensions:read',
  events: 'extensions:read',
  plans: 'extensions:read',
  notifications: 'extensions:read',
  endpoints: 'extensions:read',
  deliveries: 'extensions:read',
  licenses: 'licenses:read',
  inbox: 'licenses:read',
  credentials: 'credentials:read',
  'access-tokens': 'tokens:read',
  'trust-rules': 'tokens:read',
  members: 'members:read',
  invitations: 'members:read',
  audit: 'audit:read',
  tenant: 'account',
} as const satisfies Readonly<Record<string, Permission>>;
export type Resource = keyof typeof RESOURCES;

/** What changed: a collection, and of which extension and which member of it where that is known. */
export interface Change {
  readonly resource: Resource;
  readonly extensionId?: string;
  readonly id?: string;
}

/** A kind of row that was written in a tenant. */
export interface Written {
  readonly tenantId: string;
  /** The table, or of an entry of the audit log the type of its subject. */
  readonly source: string;
  readonly extensionId: string | null;
  /** Null when there were several. */
  readonly id: string | null;
}

/** What follows from a row. Of an event, the id is its target's; the other collections of a row carry no id. */
const FROM: Readonly<Record<string, readonly [Resource, ...Resource[]]>> = {
  event: ['targets', 'events', 'releases'],
  extension: ['extensions', 'targets', 'audit'],
  target: ['targets', 'audit'],
  artifact: ['artifacts', 'releases', 'audit'],
  plan: ['plans', 'audit'],
  license: ['licenses', 'audit'],
  license_row: ['licenses'],
  credential: ['credentials', 'targets', 'audit'],
  inbox_item: ['inbox', 'audit'],
  inbox_row: ['inbox'],
  notification: ['notifications'],
  notification_endpoint: ['endpoints', 'audit'],
  notification_delivery: ['deliveries', 'audit'],
  delivery_row: ['deliveries'],
  access_token: ['access-tokens', 'audit'],
  trust_rule: ['trust-rules', 'audit'],
  member: ['members', 'audit'],
  invitation: ['invitations', 'audit'],
  tenant: ['tenant', 'audit'],
};
const OTHERWISE: readonly [Resource] = ['audit'];

/** More changes than this at once are told by their collections alone. */
export const MOST_AT_ONCE = 100;

/** Returns what rows of a tenant changed, each collection, extension and id once. Pure. */
export function changesOf(written: readonly Written[]): readonly Change[] {
  const found = new Map<string, Change>();
  for (const { source, extensionId, id } of written)
    (FROM[source] ?? OTHERWISE).forEach((resource, at) => {
      const own = at === 0 && id !== null ? { id } : {};
      const change = { resource, ...(extensionId === null ? {} : { extensionId }), ...own };
      found.set(JSON.stringify(change), change);
    });
  return [...found.values()];
}

/**
 * Returns the changes that a caller may hear of: of collections that it may read, and of extensions that its token is not kept from. The token
 * of a session hears what the session may read. Too many become one for each collection. Pure.
 */
export function heardBy(caller: Caller, changes: readonly Change[]): readonly Change[] {
  const { actor, role, extensionIds } = caller;
  const rights = actor.kind === 'user' ? { scopes: null, role } : caller;
  const heard = changes.filter(
    ({ resource, extensionId }) =>
      lacks(rights, RESOURCES[resource]) === null &&
      (extensionIds === null || (extensionId !== undefined && extensionIds.includes(extensionId))),
  );
  if (heard.length <= MOST_AT_ONCE) return heard;
  return [...new Set(heard.map(({ resource }) => resource))].map((resource) => ({ resource }));
}

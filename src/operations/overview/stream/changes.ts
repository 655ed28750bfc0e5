import type { Caller } from '../../../common/access/index.js';
import { may, type Permission } from '../../../common/access/pure.js';

/** The collections of the API whose changes are streamed, each with the permission that a caller needs to see them. */
export const RESOURCES = {
  overview: 'extensions:read',
  extensions: 'extensions:read',
  targets: 'extensions:read',
  artifacts: 'extensions:read',
  releases: 'extensions:read',
  approvals: 'extensions:read',
  events: 'extensions:read',
  reviews: 'extensions:read',
  plans: 'extensions:read',
  notifications: 'extensions:read',
  endpoints: 'extensions:read',
  deliveries: 'extensions:read',
  licenses: 'licenses:read',
  'license-imports': 'licenses:read',
  trials: 'licenses:read',
  orders: 'licenses:read',
  inbox: 'licenses:read',
  credentials: 'credentials:read',
  'access-tokens': 'tokens:read',
  'trust-rules': 'tokens:read',
  members: 'members:read',
  invitations: 'members:read',
  audit: 'audit:read',
  tenant: 'account',
  branding: 'extensions:read',
} as const satisfies Readonly<Record<string, Permission>>;
export type Resource = keyof typeof RESOURCES;

/** A change: the collection, and the extension and the member of the collection where they are known. */
export interface Change {
  readonly resource: Resource;
  readonly extensionId?: string;
  readonly id?: string;
}

/** The rows of one table that were written in a tenant. */
export interface Written {
  readonly tenantId: string;
  /** The table; for an entry of the audit log, the type of its subject. */
  readonly source: string;
  readonly extensionId: string | null;
  /** Null when there were several. */
  readonly id: string | null;
}

/** The collections that a row changes. Only the first carries the row's id; for an event, that is the id of its target. */
const FROM: Readonly<Record<string, readonly [Resource, ...Resource[]]>> = {
  event: ['targets', 'events', 'releases'],
  extension: ['extensions', 'targets', 'audit'],
  target: ['targets', 'audit'],
  review: ['reviews', 'audit'],
  review_row: ['reviews'],
  artifact: ['artifacts', 'releases', 'audit'],
  approval: ['approvals', 'audit'],
  approval_row: ['approvals'],
  plan: ['plans', 'licenses', 'audit'],
  license: ['licenses', 'orders', 'trials', 'audit'],
  license_row: ['licenses', 'orders', 'trials'],
  license_import: ['license-imports', 'audit'],
  import_row: ['license-imports'],
  trial: ['trials', 'audit'],
  trial_row: ['trials'],
  order: ['orders', 'inbox', 'audit'],
  purchase_row: ['orders', 'inbox'],
  credential: ['credentials', 'targets', 'audit'],
  inbox_item: ['inbox', 'audit'],
  inbox_row: ['inbox'],
  // Its id is none of the inbox.
  unrelated_product: ['audit', 'inbox'],
  notification: ['notifications'],
  notification_endpoint: ['endpoints', 'audit'],
  notification_delivery: ['deliveries', 'audit'],
  delivery_row: ['deliveries'],
  access_token: ['access-tokens', 'audit'],
  trust_rule: ['trust-rules', 'audit'],
  member: ['members', 'audit'],
  invitation: ['invitations', 'audit'],
  tenant: ['tenant', 'audit'],
  branding: ['branding', 'audit'],
};
const OTHERWISE: readonly [Resource] = ['audit'];

/** More changes than this at once are streamed as one for each collection. */
export const MAX_AT_ONCE = 100;

/** Returns the changes that written rows of a tenant amount to, each once. Pure. */
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
 * Returns the changes that a caller may see: of collections that it may read, and of extensions that its token is not restricted from. More
 * than `MAX_AT_ONCE` become one for each collection. Pure.
 */
export function visibleTo(caller: Caller, changes: readonly Change[]): readonly Change[] {
  const { extensionIds } = caller;
  const visible = changes.filter(
    ({ resource, extensionId }) =>
      may(caller, RESOURCES[resource]) &&
      (extensionIds === null || (extensionId !== undefined && extensionIds.includes(extensionId))),
  );
  if (visible.length <= MAX_AT_ONCE) return visible;
  return [...new Set(visible.map(({ resource }) => resource))].map((resource) => ({ resource }));
}

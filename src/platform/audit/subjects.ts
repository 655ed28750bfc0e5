/**
 * What the audit log is about: per kind of subject, the field that names it, the fields whose values are kept, and what can happen to it.
 * A field that is not listed is not kept. Never list a secret, a license's code, or a buyer's address, which must be deleted when the buyer asks for it.
 */
export const SUBJECTS = {
  extension: {
    name: 'name',
    keeps: ['name', 'licensingEnabled', 'seatIdleDays', 'replacedCodeDays', 'offlineGraceDays', 'analyticsEnabled'],
    verbs: ['created', 'updated', 'deleted', 'reconciled', 'lease_key_rotated'],
  },
  target: {
    name: 'store',
    keeps: [
      'store',
      'storeItemId',
      'crxId',
      'credentialId',
      'enabled',
      'platforms',
      'onPending',
      'channel',
      'releaseMode',
      'rolloutPercent',
      'releaseNotes',
      'skipReview',
      'encryption',
      'paused',
      'releaseRequested',
    ],
    verbs: ['created', 'updated', 'deleted', 'paused', 'resumed', 'release_requested', 'resubmitted'],
  },
  artifact: {
    name: 'version',
    keeps: ['version', 'storeVersion', 'scope', 'sha256', 'size', 'notes', 'rollbackOf', 'sourceSha256', 'sourceSize'],
    verbs: ['pushed', 'source_attached', 'rolled_back'],
  },
  credential: {
    name: 'label',
    keeps: ['store', 'label', 'expiresAt'],
    verbs: ['created', 'updated', 'rotated', 'deleted'],
  },
  notification_endpoint: {
    name: 'kind',
    keeps: ['kind', 'host', 'address', 'events', 'enabled'],
    verbs: ['created', 'updated', 'deleted', 'rotated', 'tested'],
  },
  notification_delivery: { name: null, keeps: [], verbs: ['repeated'] },
  plan: {
    name: 'tier',
    keeps: ['tier', 'maxActivations', 'products'],
    verbs: ['created', 'updated', 'deleted', 'products_set'],
  },
  license: {
    name: 'codeHint',
    keeps: ['planId', 'expiresAt', 'maxActivations', 'suspendedFor', 'revokedAt', 'revokedFor'],
    verbs: [
      'issued',
      'imported',
      'updated',
      'suspended',
      'reinstated',
      'revoked',
      'rotated',
      'resent',
      'device_released',
      'deleted',
    ],
  },
  branding: {
    name: 'displayName',
    keeps: ['displayName', 'supportAddress', 'accentColor', 'logoSha256'],
    verbs: ['updated'],
  },
  inbox_item: { name: 'kind', keeps: ['status'], verbs: ['replayed', 'marked_unrelated'] },
  unrelated_product: { name: 'productId', keeps: ['processor'], verbs: ['deleted'] },
  access_token: { name: 'name', keeps: ['name', 'scopes', 'extensionIds', 'expiresAt'], verbs: ['created', 'revoked'] },
  trust_rule: {
    name: 'name',
    keeps: ['name', 'issuer', 'repository', 'ref', 'environment', 'scopes', 'extensionIds'],
    verbs: ['created', 'deleted', 'used'],
  },
  session: { name: 'name', keeps: ['name', 'expiresAt'], verbs: ['begun', 'switched', 'ended'] },
  user: {
    name: 'email',
    keeps: [],
    verbs: [
      'login_refused',
      'login_link_created',
      'sessions_ended',
      'password_changed',
      'password_reset_requested',
      'password_reset',
      'identity_linked',
      'identity_unlinked',
      'cli_login_approved',
      'cli_login_denied',
      'second_factor_enabled',
      'second_factor_disabled',
      'recovery_codes_renewed',
      'made_operator',
      'operator_removed',
    ],
  },
  member: { name: 'email', keeps: ['email', 'role'], verbs: ['joined', 'role_changed', 'removed', 'left'] },
  invitation: { name: 'email', keeps: ['email', 'role', 'expiresAt'], verbs: ['created', 'revoked'] },
  tenant: {
    name: 'name',
    keeps: ['name', 'quota'],
    verbs: [
      'created',
      'export_requested',
      'deletion_scheduled',
      'deletion_canceled',
      'password_login_disabled',
      'password_login_enabled',
    ],
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string | null; readonly keeps: readonly string[]; readonly verbs: readonly string[] }>
>;

export type SubjectType = keyof typeof SUBJECTS;

/** What happened to what, such as `license.revoked`. */
export type Action = { [Type in SubjectType]: `${Type}.${(typeof SUBJECTS)[Type]['verbs'][number]}` }[SubjectType];

/** Returns what kind of subject an action is about. */
export const subjectTypeOf = (action: Action): SubjectType => action.slice(0, action.indexOf('.')) as SubjectType;

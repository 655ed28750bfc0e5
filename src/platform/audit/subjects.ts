interface SubjectKind {
  readonly table?: string;
  readonly name: string | null;
  readonly verbs: readonly string[];
}

/**
 * Subjects of the audit log: per kind of subject, its table where that has another name, the field that names it, and what can happen to it.
 * `@Audited` marks the fields that are kept, in the entities.
 */
export const SUBJECTS = {
  extension: { name: 'name', verbs: ['created', 'updated', 'deleted', 'reconciled', 'lease_key_rotated'] },
  target: {
    name: 'store',
    verbs: ['created', 'updated', 'deleted', 'paused', 'resumed', 'release_requested', 'resubmitted'],
  },
  signing_key: { name: null, verbs: ['added', 'removed'] },
  review: { table: 'store_review', name: null, verbs: ['answered', 'answer_withdrawn'] },
  artifact: { name: 'version', verbs: ['pushed', 'source_attached', 'rolled_back'] },
  approval: { name: 'version', verbs: ['approved', 'rejected'] },
  rejection: { table: 'rejection_reason', name: 'version', verbs: ['recorded'] },
  finding: { table: 'finding_override', name: 'findingId', verbs: ['overridden'] },
  credential: { name: 'label', verbs: ['created', 'updated', 'rotated', 'deleted'] },
  notification_endpoint: {
    name: 'kind',
    verbs: ['created', 'updated', 'deleted', 'rotated', 'tested', 'unsubscribed'],
  },
  notification_delivery: { name: null, verbs: ['repeated'] },
  plan: { name: 'tier', verbs: ['created', 'updated', 'deleted', 'products_set'] },
  license: {
    name: 'codeHint',
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
      'member_invited',
      'member_link_made',
      'member_resent',
      'member_removed',
      'deleted',
    ],
  },
  license_batch: { name: 'campaign', verbs: ['issued'] },
  trial: { name: null, verbs: ['updated', 'deleted'] },
  license_import: {
    name: null,
    verbs: ['uploaded', 'started', 'canceled', 'deleted', 'codes_read', 'faults_read'],
  },
  branding: { name: 'displayName', verbs: ['updated'] },
  order: { table: 'purchase', name: 'processor', verbs: ['plan_assigned'] },
  inbox_item: { name: 'kind', verbs: ['replayed', 'marked_unrelated'] },
  unrelated_product: { name: 'productId', verbs: ['deleted'] },
  access_token: { name: 'name', verbs: ['created', 'revoked'] },
  trust_rule: { table: 'ci_trust_rule', name: 'name', verbs: ['created', 'deleted', 'used'] },
  session: { name: 'name', verbs: ['begun', 'switched', 'ended'] },
  user: {
    table: 'tenant_user',
    name: 'email',
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
  member: { table: 'membership', name: 'email', verbs: ['joined', 'role_changed', 'removed', 'left'] },
  invitation: { name: 'email', verbs: ['created', 'revoked'] },
  tenant: {
    name: 'name',
    verbs: [
      'created',
      'export_requested',
      'export_downloaded',
      'licenses_exported',
      'audit_exported',
      'buyer_looked_up',
      'deletion_scheduled',
      'deletion_canceled',
      'password_login_disabled',
      'password_login_enabled',
    ],
  },
} as const satisfies Readonly<Record<string, SubjectKind>>;

export type SubjectType = keyof typeof SUBJECTS;

/** An action on a subject, such as `license.revoked`. */
export type Action = { [Type in SubjectType]: `${Type}.${(typeof SUBJECTS)[Type]['verbs'][number]}` }[SubjectType];

/** Returns what kind of subject an action is about. */
export const subjectTypeOf = (action: Action): SubjectType => action.slice(0, action.indexOf('.')) as SubjectType;

/** What a tenant may be told, in the order in which it is shown. */
export const NOTIFICATION_KINDS = [
  'live',
  'rejected',
  'action_required',
  'credential_failing',
  'credential_expiring',
  'taken_down',
  'stuck_in_review',
  'stalled',
  'payment_on_ended_license',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** What an endpoint may hear: besides what it chose, a test that its owner asked for. */
export const DELIVERED_KINDS = [...NOTIFICATION_KINDS, 'test'] as const;
export type DeliveredKind = (typeof DELIVERED_KINDS)[number];

/** Events of the timeline that a tenant is told of as they are. */
const OF_EVENTS: ReadonlyMap<string, NotificationKind> = new Map([
  ['phase_live', 'live'],
  ['phase_rejected', 'rejected'],
  ['phase_action_required', 'action_required'],
  ['phase_taken_down', 'taken_down'],
  ['stuck_in_review', 'stuck_in_review'],
  ['stalled', 'stalled'],
  ['credential_expiring', 'credential_expiring'],
  ['payment_on_ended_license', 'payment_on_ended_license'],
]);

/** What a tenant is told of an event of the timeline; null when it is not worth a word, or a refusal that he has been told of. Pure. */
export function kindOf({ kind, data }: { readonly kind: string; readonly data: unknown }): NotificationKind | null {
  const found = OF_EVENTS.get(kind) ?? null;
  if (memberOf(data, 'isRepeated') === true) return null;
  return found === 'action_required' && memberOf(data, 'cause') === 'credential' ? 'credential_failing' : found;
}

const memberOf = (data: unknown, name: 'cause' | 'isRepeated'): unknown =>
  typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>)[name] : undefined;

/** What was last told of a target. */
export interface Told {
  readonly kind: string;
  readonly version: string | null;
}

/**
 * Whether it is news. A version that went live once is not told again when a look at the store failed in between: only another
 * version, or live again after something that was told, is. Pure.
 */
export const isNews = (told: Told, last: Told | null): boolean =>
  told.kind !== 'live' || last === null || last.kind !== 'live' || last.version !== told.version;

/** What has happened, for the subject of a mail. */
export const HEADLINES: Readonly<Record<DeliveredKind, string>> = {
  live: 'is live',
  rejected: 'was rejected',
  action_required: 'needs you',
  credential_failing: 'has a credential that does not work',
  credential_expiring: 'A credential expires soon',
  taken_down: 'was taken down',
  stuck_in_review: 'is stuck in review',
  stalled: 'makes no progress',
  payment_on_ended_license: 'was paid for, but the license has ended',
  test: 'A test of your notifications',
};

/** Kinds that an endpoint can subscribe to, in the order in which they are shown. */
export const NOTIFICATION_KINDS = [
  'live',
  'rejected',
  'action_required',
  'credential_failing',
  'credential_expiring',
  'access_token_expiring',
  'taken_down',
  'stuck_in_review',
  'stalled',
  'payment_on_ended_license',
  'license_moving',
  'order_without_license',
  'foreign_license_key',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Everything that an endpoint can receive: the kinds it subscribes to, and tests that its tenant requests. */
export const DELIVERED_KINDS = [...NOTIFICATION_KINDS, 'test'] as const;
export type DeliveredKind = (typeof DELIVERED_KINDS)[number];

/** Timeline events that become notifications. */
const KIND_BY_EVENT: ReadonlyMap<string, NotificationKind> = new Map([
  ['phase_live', 'live'],
  ['phase_rejected', 'rejected'],
  ['phase_action_required', 'action_required'],
  ['phase_taken_down', 'taken_down'],
  ['stuck_in_review', 'stuck_in_review'],
  ['stalled', 'stalled'],
  ['credential_expiring', 'credential_expiring'],
  ['payment_on_ended_license', 'payment_on_ended_license'],
  ['license_moving', 'license_moving'],
]);

/** The notification that a timeline event becomes; null when it becomes none, or only repeats a refusal. Pure. */
export function kindOf({ kind, data }: { readonly kind: string; readonly data: unknown }): NotificationKind | null {
  const found = KIND_BY_EVENT.get(kind) ?? null;
  if (memberOf(data, 'isRepeated') === true) return null;
  return found === 'action_required' && memberOf(data, 'cause') === 'credential' ? 'credential_failing' : found;
}

const memberOf = (data: unknown, name: 'cause' | 'isRepeated'): unknown =>
  typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>)[name] : undefined;

/** Facts about its target in a notification. */
export interface TargetNotification {
  readonly kind: string;
  readonly version: string | null;
}

/**
 * Whether to send a notification after the last one about the same target. A version that is live again because a store could not be reached
 * in between is not worth a notification; another version is, and so is a version that is live again after another kind of notification. Pure.
 */
export const isWorthNotifying = (next: TargetNotification, last: TargetNotification | null): boolean =>
  next.kind !== 'live' || last === null || last.kind !== 'live' || last.version !== next.version;

/** The event in words, for the subject of a mail. */
export const HEADLINES: Readonly<Record<DeliveredKind, string>> = {
  live: 'is live',
  rejected: 'was rejected',
  action_required: 'needs your attention',
  credential_failing: 'has a credential that does not work',
  credential_expiring: 'A credential expires soon',
  access_token_expiring: 'An access token expires soon',
  taken_down: 'was taken down',
  stuck_in_review: 'is stuck in review',
  stalled: 'makes no progress',
  payment_on_ended_license: 'was paid for, but the license has ended',
  license_moving: 'has a license that moves through many devices',
  order_without_license: 'A sale made no license',
  foreign_license_key: 'Buyers receive two license keys',
  test: 'Test notification',
};

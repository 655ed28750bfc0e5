import { LICENSE_EVENTS, type LicenseEventKind } from '../licensing/pure.js';

/** A kind that an endpoint can subscribe to. */
interface KindFacts {
  /** The event in words, for the subject of a mail. */
  readonly headline: string;
  /** The timeline's event that becomes one; without it, the kind is sent by other means. */
  readonly event?: string;
  /** Whether one names an extension; otherwise it is about the tenant, a credential or a token. */
  readonly isOfExtension: boolean;
}

/** What happens to licenses: so frequent that only endpoints that name a kind receive it, and only what one receives is recorded. */
const LICENSE_KINDS = {
  'license.issued': { headline: 'A license was issued' },
  'license.activated': { headline: 'A license was activated on a device' },
  'license.seat_refused': { headline: 'A license has no seat for a device' },
  'license.seat_freed': { headline: 'A seat of a license is free again' },
  'license.suspended': { headline: 'A license was suspended' },
  'license.reinstated': { headline: 'A license was reinstated' },
  'license.revoked': { headline: 'A license was revoked' },
  'license.expiring': { headline: 'A license expires soon' },
  'license.expired': { headline: 'A license has expired' },
  'license.renewed': { headline: 'A license was renewed' },
  'license.trial_started': { headline: 'A trial has begun' },
  'license.trial_ended': { headline: 'A trial has ended' },
  'license.code_resent': { headline: 'A license has a new code' },
} as const satisfies Readonly<Record<LicenseEventKind, Pick<KindFacts, 'headline'>>>;

/** The kinds that endpoints can subscribe to, in the order in which they are shown: declared here, and those of licenses above. */
const OTHER_KINDS = {
  live: { headline: 'is live', event: 'phase_live', isOfExtension: true },
  rejected: { headline: 'was rejected', event: 'phase_rejected', isOfExtension: true },
  action_required: { headline: 'needs your attention', event: 'phase_action_required', isOfExtension: true },
  credential_failing: { headline: 'has a credential that does not work', isOfExtension: true },
  credential_expiring: { headline: 'A credential expires soon', event: 'credential_expiring', isOfExtension: false },
  access_token_expiring: { headline: 'An access token expires soon', isOfExtension: false },
  approval_requested: { headline: 'waits for approval', event: 'approval_requested', isOfExtension: true },
  approval_given: { headline: 'was approved by another person', event: 'approval_approved', isOfExtension: true },
  approval_rejected: { headline: 'was not approved', event: 'approval_rejected', isOfExtension: true },
  approval_turned_off: { headline: 'no longer requires approvals', event: 'approval_turned_off', isOfExtension: true },
  taken_down: { headline: 'was taken down', event: 'phase_taken_down', isOfExtension: true },
  unexpected_version: { headline: 'serves what nobody pushed', event: 'unexpected_version', isOfExtension: true },
  low_rating: { headline: 'has a new review with two stars or fewer', event: 'low_rating', isOfExtension: true },
  stuck_in_review: { headline: 'is stuck in review', event: 'stuck_in_review', isOfExtension: true },
  stalled: { headline: 'makes no progress', event: 'stalled', isOfExtension: true },
  payment_on_ended_license: {
    headline: 'was paid for, but the license has ended',
    event: 'payment_on_ended_license',
    isOfExtension: true,
  },
  license_moving: {
    headline: 'has a license that moves through many devices',
    event: 'license_moving',
    isOfExtension: true,
  },
  order_without_license: { headline: 'A sale made no license', isOfExtension: false },
  foreign_license_key: { headline: 'Buyers receive two license keys', isOfExtension: false },
} as const satisfies Readonly<Record<string, KindFacts>>;
const KIND_FACTS = { ...OTHER_KINDS, ...LICENSE_KINDS };
export type NotificationKind = keyof typeof KIND_FACTS;
export const NOTIFICATION_KINDS = Object.keys(KIND_FACTS) as readonly NotificationKind[];

/** Whether a kind is about one license, and names its buyer. */
export const isLicenseKind = (kind: string): kind is LicenseEventKind => LICENSE_EVENTS.some((each) => each === kind);

/** What an endpoint subscribes to that names no kinds. */
export const DEFAULT_KINDS = NOTIFICATION_KINDS.filter((kind) => !isLicenseKind(kind));

/** Everything that an endpoint can receive: the kinds it subscribes to, and tests that its tenant requests. */
export type DeliveredKind = NotificationKind | 'test';
export const DELIVERED_KINDS: readonly DeliveredKind[] = [...NOTIFICATION_KINDS, 'test'];

/** Whether a notification of a kind names an extension. */
export const isOfExtension = (kind: Exclude<DeliveredKind, LicenseEventKind | 'test'>): boolean =>
  OTHER_KINDS[kind].isOfExtension;

/** Returns the event in words, for the subject of a mail. */
export const headlineOf = (kind: DeliveredKind): string =>
  kind === 'test' ? 'Test notification' : KIND_FACTS[kind].headline;

const KIND_BY_EVENT: ReadonlyMap<string | undefined, NotificationKind> = new Map(
  Object.entries<KindFacts>(OTHER_KINDS).map(([kind, { event }]) => [event, kind as NotificationKind]),
);

/** The notification that a timeline event becomes; null when it becomes none, only repeats a refusal, or follows from an approval that is missing. Pure. */
export function kindOf({ kind, data }: { readonly kind: string; readonly data: unknown }): NotificationKind | null {
  const found = KIND_BY_EVENT.get(kind) ?? null;
  if (memberOf(data, 'isRepeated') === true || memberOf(data, 'cause') === 'approval') return null;
  return found === 'action_required' && memberOf(data, 'cause') === 'credential' ? 'credential_failing' : found;
}

/** A member of an event's data; undefined where it has none of the name. Pure. */
export const memberOf = (data: unknown, name: 'cause' | 'isRepeated' | 'approvalId' | 'requestedById'): unknown =>
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

import { CONSOLE } from '../../common/http/pure.js';
import type { LicenseEventKind } from '../../licensing/pure.js';
import { isLicenseKind, type DeliveredKind } from '../kinds.js';
import type { NotificationEntity } from '../notification.entity.js';

/** What the page of a notification follows from. */
export type PageFacts = Pick<NotificationEntity, 'kind'> &
  Partial<
    Pick<
      NotificationEntity,
      'extensionId' | 'targetId' | 'version' | 'credentialId' | 'licenseId' | 'approvalId' | 'isExample'
    >
  >;

/** A page of the console, with the word for what is done there. */
export interface ConsolePage {
  readonly path: string;
  readonly label: string;
}

/** The page of each kind, where it is always the same; null where it follows from what the notification names. */
const FIXED: Readonly<Record<Exclude<DeliveredKind, LicenseEventKind>, ConsolePage | null>> = {
  live: null,
  rejected: null,
  action_required: null,
  credential_failing: null,
  credential_expiring: null,
  access_token_expiring: { path: CONSOLE.tokens, label: 'Open the access tokens' },
  approval_requested: null,
  approval_given: null,
  approval_rejected: null,
  approval_turned_off: null,
  taken_down: null,
  unexpected_version: null,
  stuck_in_review: null,
  stalled: null,
  payment_on_ended_license: null,
  license_moving: null,
  foreign_license_key: null,
  order_without_license: { path: CONSOLE.unmappedSales, label: 'Choose their plan' },
  low_rating: { path: CONSOLE.reviews, label: 'Read the review' },
  test: { path: CONSOLE.notifications, label: 'Open the notifications' },
};

const fixedPageOf = (kind: DeliveredKind): ConsolePage | null => (isLicenseKind(kind) ? null : FIXED[kind]);

/** Returns the page that a notification is about; null when the console has none. Pure. */
export function pageOf(notification: PageFacts): ConsolePage | null {
  const { kind, extensionId = null, targetId = null, version = null } = notification;
  const { credentialId = null, licenseId = null, approvalId = null } = notification;
  const fixed = fixedPageOf(notification.isExample === true ? 'test' : kind);
  if (fixed !== null) return fixed;
  if (approvalId !== null) return { path: CONSOLE.approval(approvalId), label: 'Open the approval' };
  if (licenseId !== null) return { path: CONSOLE.license(licenseId), label: 'Open the license' };
  if (credentialId !== null) return { path: CONSOLE.rotation(credentialId), label: 'Rotate the credential' };
  if (extensionId === null) return null;
  if (kind === 'rejected' && version !== null)
    return { path: CONSOLE.version(extensionId, version, 'rejected'), label: 'See why' };
  if (targetId !== null) return { path: CONSOLE.target(extensionId, targetId), label: 'Open the target' };
  return { path: CONSOLE.extension(extensionId), label: 'Open the extension' };
}

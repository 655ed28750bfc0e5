import { CONSOLE } from '../../common/http/pure.js';
import type { DeliveredKind } from '../kinds.js';
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

/** Kinds whose page does not follow from what they name. */
const FIXED: Partial<Readonly<Record<DeliveredKind, ConsolePage>>> = {
  access_token_expiring: { path: CONSOLE.tokens, label: 'Open the access tokens' },
  order_without_license: { path: CONSOLE.unmappedSales, label: 'Choose their plan' },
  low_rating: { path: CONSOLE.reviews, label: 'Read the review' },
  test: { path: CONSOLE.notifications, label: 'Open the notifications' },
};

/** Returns the page that a notification is about; null when the console has none. Pure. */
export function pageOf(notification: PageFacts): ConsolePage | null {
  const { kind, extensionId = null, targetId = null, version = null } = notification;
  const { credentialId = null, licenseId = null, approvalId = null } = notification;
  const fixed = FIXED[notification.isExample === true ? 'test' : kind];
  if (fixed !== undefined) return fixed;
  if (approvalId !== null) return { path: CONSOLE.approval(approvalId), label: 'Open the approval' };
  if (licenseId !== null) return { path: CONSOLE.license(licenseId), label: 'Open the license' };
  if (credentialId !== null) return { path: CONSOLE.rotation(credentialId), label: 'Rotate the credential' };
  if (extensionId === null) return null;
  if (kind === 'rejected' && version !== null)
    return { path: CONSOLE.version(extensionId, version, 'rejected'), label: 'See why' };
  if (targetId !== null) return { path: CONSOLE.target(extensionId, targetId), label: 'Open the target' };
  return { path: CONSOLE.extension(extensionId), label: 'Open the extension' };
}

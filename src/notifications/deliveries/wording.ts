import { composeMail, nameInMail, type ComposedMail } from '../../platform/mail/index.js';
import { headlineOf } from '../kinds.js';
import type { NotificationEntity } from '../notification.entity.js';

type Content = Omit<NotificationEntity, 'tenant' | 'tenantId' | 'onceKey' | 'updatedAt'>;

/** The body of a webhook: `{ type, timestamp, data }`, as in Standard Webhooks. The same at each attempt. Pure. */
export function webhookBody(notification: Content): string {
  const { kind, createdAt, message, extensionId, extensionName, targetId, version, credentialId } = notification;
  return JSON.stringify({
    type: kind,
    timestamp: createdAt.toISOString(),
    data: { message, extensionId, extensionName, targetId, version, credentialId },
  });
}

/** The notification as a mail. Pure. */
export function mailOf({ kind, message, extensionName, version, place }: Content): ComposedMail {
  const about = extensionName === null ? '' : `${nameInMail(extensionName)} `;
  const which = extensionName === null || version === null ? '' : `${version} `;
  const where = place === null ? '' : ` (${place.store})`;
  return composeMail(`${about}${which}${headlineOf(kind)}${where}`, [
    message,
    ...(place?.listing == null ? [] : [{ link: place.listing, label: `Listing (${place.store})` }]),
    ...(place?.dashboard == null ? [] : [{ link: place.dashboard, label: `Dashboard (${place.store})` }]),
    'Your team asked Pierhead to send these notifications. To change them, edit the notification endpoint.',
  ]);
}

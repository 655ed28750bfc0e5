import { composeMail, nameInMail, type ComposedMail } from '../mail/index.js';
import { HEADLINES } from './kinds.js';
import type { NotificationEntity } from './notification.entity.js';

type Said = Omit<NotificationEntity, 'tenant' | 'tenantId' | 'onceKey' | 'updatedAt'>;

/** What a webhook is sent: `{ type, timestamp, data }`, as Standard Webhooks has it. The same text at each attempt. Pure. */
export function webhookBody(said: Said): string {
  const { kind, createdAt, message, extensionId, extensionName, targetId, version, credentialId } = said;
  return JSON.stringify({
    type: kind,
    timestamp: createdAt.toISOString(),
    data: { message, extensionId, extensionName, targetId, version, credentialId },
  });
}

/** The same as a mail. Pure. */
export function mailOf({ kind, message, extensionName, version, place }: Said): ComposedMail {
  const about = extensionName === null ? '' : `${nameInMail(extensionName)} `;
  const which = extensionName === null || version === null ? '' : `${version} `;
  const where = place === null ? '' : ` (${place.store})`;
  return composeMail(`${about}${which}${HEADLINES[kind]}${where}`, [
    message,
    ...(place?.listing == null ? [] : [{ link: place.listing, label: `The listing (${place.store})` }]),
    ...(place?.dashboard == null ? [] : [{ link: place.dashboard, label: `The dashboard (${place.store})` }]),
    'You are told this because your team asked Pierhead for it, and can change that with its notification endpoints.',
  ]);
}

import { cutText } from '../common/net/index.js';
import { composeMail, type ComposedMail } from '../mail/index.js';
import { HEADLINES } from './kinds.js';
import type { NotificationEntity } from './notification.entity.js';

type Said = Omit<NotificationEntity, 'tenant' | 'tenantId' | 'onceKey' | 'updatedAt'>;

const NAME_MAX = 80;

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
export function mailOf({ kind, message, extensionName, version }: Said): ComposedMail {
  const about = extensionName === null ? '' : `${cutText(extensionName, NAME_MAX)} `;
  const which = extensionName === null || version === null ? '' : `${version} `;
  return composeMail(`${about}${which}${HEADLINES[kind]}`, [
    message,
    'You are told this because your team asked Pierhead for it, and can change that with its notification endpoints.',
  ]);
}

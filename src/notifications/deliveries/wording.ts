import { orderIdIn } from '../../licensing/pure.js';
import { composeMail, nameInMail, type ComposedMail } from '../../platform/mail/index.js';
import { headlineOf } from '../kinds.js';
import type { NotificationEntity } from '../notification.entity.js';
import { pageOf, type PageFacts } from './page-of.js';

/** What a mail says. */
export type MailContent = PageFacts & Pick<NotificationEntity, 'message' | 'extensionName' | 'version' | 'place'>;

/**
 * The body of a webhook: `{ type, timestamp, data }`, as in Standard Webhooks. The same at each attempt, but for the address of a buyer who is erased
 * meanwhile. Pure.
 */
export function webhookBody(notification: NotificationEntity): string {
  const {
    id,
    kind,
    createdAt,
    message,
    extensionId,
    extensionName,
    targetId,
    version,
    credentialId,
    approvalId,
    license,
    trial,
  } = notification;
  return JSON.stringify({
    type: kind,
    timestamp: createdAt.toISOString(),
    data: {
      message,
      extensionId,
      extensionName,
      targetId,
      version,
      credentialId,
      ...(approvalId === null ? {} : { approvalId }),
      ...(license === null ? {} : { eventId: id, license: { ...license, orderId: orderIdIn(license.source) } }),
      ...(trial === null ? {} : { eventId: id, trial }),
    },
  });
}

const WHY = 'because your team asked for notifications at this address';

/** The end of a mail. */
interface MailFooter {
  /** Why it is sent. */
  readonly why?: string;
  /** URL of the page that stops such mails; absent where a role brings them. */
  readonly stop?: string;
}

/** The notification as a mail. Pure. */
export function mailOf(
  notification: MailContent,
  publicUrl: string,
  { why = WHY, stop }: MailFooter = {},
): ComposedMail {
  const { kind, message, extensionName, version, place, approvalId = null } = notification;
  const about = extensionName === null ? '' : `${nameInMail(extensionName)} `;
  const which = extensionName === null || version === null ? '' : `${version} `;
  const where = place === null ? '' : ` (${place.store})`;
  const page = pageOf(notification);
  return composeMail(
    `${about}${which}${headlineOf(kind)}${where}`,
    [
      message,
      ...(page === null ? [] : [{ button: `${publicUrl}${page.path}`, label: page.label }]),
      ...(approvalId === null ? [] : ['The link itself decides nothing: the page asks you to log in.']),
      ...(place?.listing == null ? [] : [{ link: place.listing, label: `Listing (${place.store})` }]),
      ...(place?.dashboard == null ? [] : [{ link: place.dashboard, label: `Dashboard (${place.store})` }]),
      ...(stop === undefined ? [] : [{ link: stop, label: 'Stop these notifications' }]),
    ],
    why,
  );
}

import { orderIdIn } from '../../licensing/pure.js';
import { composeMail, nameInMail, type ComposedMail } from '../../platform/mail/index.js';
import { headlineOf } from '../kinds.js';
import type { NotificationEntity } from '../notification.entity.js';
import { pageOf, type PageFacts } from './page-of.js';

/** What a mail says. */
export type MailContent = PageFacts &
  Pick<NotificationEntity, 'message' | 'extensionName' | 'version' | 'place'> &
  Partial<Pick<NotificationEntity, 'isExample'>>;

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
    isExample,
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
      ...(isExample ? { example: true } : {}),
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

function subjectOf({ kind, extensionName, version, place, isExample = false }: MailContent): string {
  const about = extensionName === null ? '' : `${nameInMail(extensionName)} `;
  const which = extensionName === null || version === null ? '' : `${version} `;
  const where = place === null ? '' : ` (${place.store})`;
  return `${isExample ? 'Example: ' : ''}${about}${which}${headlineOf(kind)}${where}`;
}

/** The notification as a mail. Pure. */
export function mailOf(
  notification: MailContent,
  publicUrl: string,
  { why = WHY, stop }: MailFooter = {},
): ComposedMail {
  const { message, place, approvalId = null } = notification;
  const page = pageOf(notification);
  return composeMail(
    subjectOf(notification),
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

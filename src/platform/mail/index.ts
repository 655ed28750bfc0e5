/**
 * The outbox: mails are added within the transaction of the change that they are about, and handed over to the mail server afterwards.
 * No committed mail is lost, and a crash repeats at most the mails being handed over. A mail's content is deleted once it is handed over or
 * given up. This folder does not know what mails are about.
 */
export { MailModule } from './mail.module.js';
export { OutboxService, type MailOutcome, type NewMail } from './outbox.service.js';
/** @public for tests, which decide when it runs */
export { MailDeliveryWorker } from './mail-delivery.worker.js';
export { MailLimitsService } from './mail-limits.service.js';
export { composeMail, nameInMail, type ComposedMail, type MailPart, type MailSender } from './compose.js';
export { smtpTransport } from './smtp-transport.js';
export { readSmtpFailure } from './smtp-failure.js';

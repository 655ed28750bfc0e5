/**
 * The outbox: mails are put in within their owner's transaction, and handed to the mail server afterwards.
 * Promises that no committed mail is lost and that a crash doubles at most the one in hand; forgets what a mail said
 * once it was handed over or given up. Knows nothing of what mails are about.
 */
export { MailModule } from './mail.module.js';
export { Outbox, type MailOutcome } from './outbox.service.js';
/** @public for tests, which hold the time */
export { Postman } from './postman.service.js';
export { MailLimits } from './mail-limits.service.js';
export { composeMail, nameInMail, type ComposedMail } from './compose.js';

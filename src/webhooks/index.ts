/**
 * Turns payment notifications into licenses. A notification is recorded together with its effect; no repetition, order or forgery makes a wrong
 * license; and payments do not undo what the tenant did to a license.
 */
export { WebhooksModule } from './webhooks.module.js';
/** @public for tests, which decide when it runs */
export { InboxService } from './inbox/inbox.service.js';
export { NotificationIntake } from './inbox/notification-intake.service.js';
/** @public for tests, which decide when it runs */
export { ReturningCustomersService } from './purchases/returning-customers.service.js';

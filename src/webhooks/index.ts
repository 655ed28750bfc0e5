/**
 * Payment notifications into licenses. Promises that a notification and its effect stand or fall together, that no repetition, order or forgery
 * makes a wrong license, and that what the tenant did to a license by hand stays.
 */
export { WebhooksModule } from './webhooks.module.js';
/** @public for tests, which hold the time */
export { InboxService } from './inbox.service.js';

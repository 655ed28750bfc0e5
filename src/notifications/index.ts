/**
 * Notifications to tenants about their extensions, credentials and licenses, by signed webhooks and by mail. No notification is lost once its event is
 * in the timeline, no two workers make the same delivery at once, and no tenant can make Pierhead call into its own network.
 */
export { NotificationsModule } from './notifications.module.js';
/** @public for tests, which decide when they run */
export { ExpiryWarningsService } from './expiry/expiry-warnings.service.js';
export { NotificationsService } from './notifications.service.js';
/** @public for tests, which decide when they run */
export { WebhookDeliveryWorker } from './deliveries/webhook-delivery.worker.js';

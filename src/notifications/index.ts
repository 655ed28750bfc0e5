/**
 * What a tenant is told of his extensions: by signed webhooks and by mail. Promises that nothing is lost once the event is
 * in the timeline, that no two workers deliver the same at once, and that no tenant can make Pierhead call into its own network.
 * Takes part in the timeline by its hook, and in nothing else.
 */
export { NotificationsModule } from './notifications.module.js';
export { CONFIRMATION_PATH } from './confirmation.controller.js';
/** @public for tests, which hold the time */
export { Courier } from './courier.service.js';

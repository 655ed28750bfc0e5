/** Notifications of what happens to licenses. */
export { LicenseNotificationsRepository } from './license-notifications.repository.js';
export { LicenseNotificationsService } from './license-notifications.service.js';

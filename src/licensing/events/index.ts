/** Events of licenses. */
export * from './pure.js';
export { HEARD_SQL, LicenseEventsService } from './license-events.service.js';

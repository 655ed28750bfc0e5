/** What happens to licenses, told to whoever listens. */
export * from './pure.js';
export { HEARD_SQL, LicenseEventsService } from './license-events.service.js';

/** Events of licenses. */
export * from './pure.js';
export { HEARD_SQL, heardSql, LicenseEventsService } from './license-events.service.js';

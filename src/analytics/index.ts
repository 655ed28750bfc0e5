/**
 * One anonymous ping a day per install, and honest figures from it. Promises that nothing personal is stored: no installId, no address, no
 * User-Agent, anywhere.
 */
export { AnalyticsModule } from './analytics.module.js';
export { RollUpService } from './roll-up.service.js';

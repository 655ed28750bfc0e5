/**
 * One anonymous ping per install and day, and reports from them. Nothing personal is stored: no installId, no address, no User-Agent.
 */
export { AnalyticsModule } from './analytics.module.js';
export { RollUpService } from './roll-up.service.js';
export * from './pure.js';
export { OverviewQuery } from './analytics.dto.js';
export { rangeOf, type Range } from './report/range.js';

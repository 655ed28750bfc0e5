export * from './pure.js';
export * from './access.js';
export * from './subject.js';
export * from './rate-limits.js';
export { HeavyForTenant, LimitedPerAddress, RequestLimitGuard } from './request-limit.guard.js';

export * from './access.js';
export * from './rate-limits.js';
export { LimitedPerAddress } from './per-address.guard.js';

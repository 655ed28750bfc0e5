export * from './pure.js';
export * from './access.js';
export * from './subject.js';
export * from './rate-limits.js';
export { LimitedPerAddress, PerAddressGuard } from './per-address.guard.js';

export * from './access.js';
export * from './roles.js';
export * from './subject.js';
export * from './work-context.js';
export * from './rate-limits.js';
export { LimitedPerAddress, PerAddressGuard } from './per-address.guard.js';

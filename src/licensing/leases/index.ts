/** Signed leases, and the keys that sign them. */
export { LeaseKeysService } from './lease-keys.service.js';
export { LeaseKeySet } from './leases.dto.js';
export { REASONS, TRIAL_REASONS, type Reason, type TrialReason } from './reason.js';

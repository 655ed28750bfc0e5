/** The rules by which a tenant trusts CI runs. */
export { TrustRulesRepository } from './trust-rules.repository.js';
export { mismatchOf } from './trust.js';
export { NAMED_SCOPES } from './trust-rules.dto.js';

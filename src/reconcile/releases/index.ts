/** Versions on their way to targets, as they are kept and as tenants see them. */
export { EXAMPLE_REASON, RejectionReason } from './rejection.dto.js';
export { ReleaseEntity } from './release.entity.js';
export { ReleasesRepository } from './releases.repository.js';

/**
 * Targets of tenants, the known state of each at its store, and the worker that has it now.
 * No two workers hold one target, and a check never overwrites settings that changed after it began.
 */
export { CountedUsers } from './counted-users.js';
export { PinnedVersions } from './pinned-versions.js';
export { TargetsModule } from './targets.module.js';
export { DestinationsService, type Destination } from './destinations.service.js';
export { TargetsService, type SentTarget } from './targets.service.js';
export { SigningKeysService } from './signing/index.js';
export { NewTargetsService } from './new-targets.service.js';
export { TargetsRepository, type Place } from './targets.repository.js';
export { RENEW_EVERY_MS, TargetStatusRepository } from './status/target-status.repository.js';
export * from './pure.js';
export { DisplayView } from './status/display.dto.js';
export { Rollout } from './status/rollout.dto.js';
export { LIVE_VERSION } from './status/target-status.dto.js';
export { pagesAt, StoreLinksService } from './store-links.service.js';
export { TargetEntity } from './target.entity.js';
export { ItemEnabledTwice, SeveralTargets, TargetElsewhere, TargetNotFound } from './targets.problems.js';

/**
 * Packages: received as streams, inspected without unpacking, kept once per content, pinned per version.
 * An acknowledged push survives a crash, and content submitted to a store never changes. No package is held in memory.
 */
export { ArtifactsModule } from './artifacts.module.js';
export { sentenceOf } from './archive/index.js';
export {
  ComparedVersion,
  ServedPackagesService,
  UnreadableFile,
  type SentPackage,
  type ServedDifferences,
} from './comparison/index.js';
export { ApprovalsService, CLEARED, type Clearance } from './approvals/index.js';
export { ArtifactsService } from './artifacts.service.js';
export { FindingsService } from './findings/index.js';
export { sameVersion, type PinnedArtifact } from './artifacts.repository.js';
export { ArtifactNotFound, PackageLost } from './artifacts.problems.js';
export { ArtifactEntity } from './artifact.entity.js';

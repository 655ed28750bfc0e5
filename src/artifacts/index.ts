/**
 * Packages: received as streams, inspected without unpacking, kept once per content, pinned per version.
 * Promises that an acknowledged push survives a crash, and that content submitted to a store never changes. Never holds a package in memory.
 */
export { ArtifactsModule } from './artifacts.module.js';
export { ArtifactsService } from './artifacts.service.js';
export type { PinnedArtifact } from './artifacts.repository.js';
export { PackageLost } from './artifacts.problems.js';
export { ArtifactEntity } from './artifact.entity.js';

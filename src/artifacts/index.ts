/**
 * Packages: received as streams, inspected without unpacking, kept once per content, pinned per version.
 * Promises that what was answered survives a crash and that what a store was given never changes. Never holds a package in memory.
 */
export { ArtifactsModule } from './artifacts.module.js';
export { ArtifactsService } from './artifacts.service.js';
export type { PinnedArtifact } from './artifacts.repository.js';
export { PackageLost } from './artifacts.problems.js';
export { ArtifactEntity } from './artifact.entity.js';

/**
 * Packages: received as streams, inspected without unpacking, kept once per content, pinned per version.
 * Promises that what was answered survives a crash and that what a store was given never changes. Never holds a package in memory.
 */
export { ArtifactsModule } from './artifacts.module.js';
export { ArtifactsService, type PinnedArtifact } from './artifacts.service.js';
export { PackageLost } from './artifacts.problems.js';
export { ArtifactEntity } from './artifact.entity.js';

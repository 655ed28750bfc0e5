/** A version's way to its store: the states of a release, and the steps between them. */
export * from './release-state.js';
export * from './step.js';
export type { Refusal, ReleaseEntity } from './release.entity.js';

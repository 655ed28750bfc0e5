import type { TargetEntity } from './target.entity.js';

/** Finds the version to pin for a new target. The folder that keeps pins provides it. */
export abstract class PinnedVersions {
  /** The number of the version that is pinned for a target, as its store has it; null without a pin. */
  abstract storeVersionFor(target: Pick<TargetEntity, 'id' | 'extensionId' | 'store'>): Promise<string | null>;
}

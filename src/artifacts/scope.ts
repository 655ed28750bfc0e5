import type { StoreId } from '../stores/index.js';
import type { Place } from '../targets/index.js';

/** What an artifact is for: one target, the targets of one store, or all. Of the artifacts of a version, a target gets that of the narrowest scope. */
export type ArtifactScope = `${StoreId}:${string}` | StoreId | 'any';

/** A target, by what decides which artifacts are for it. */
interface Receiver {
  readonly id: string;
  readonly store: StoreId;
}

/** The scope of what is pinned for a place. Pure. */
export const scopeOf = ({ store, targetId }: Place): ArtifactScope =>
  store === null ? 'any' : targetId === null ? store : `${store}:${targetId}`;

/** The place that a scope stands for. Pure. */
export function placeOf(scope: ArtifactScope): Place {
  if (scope === 'any') return { store: null, targetId: null };
  const [store, targetId = null] = scope.split(':') as [StoreId, string?];
  return { store, targetId };
}

/** The scopes whose artifacts a target gets, the narrowest first. Pure. */
export const scopesAt = ({ id, store }: Receiver): readonly ArtifactScope[] => [`${store}:${id}`, store, 'any'];

/** Whether a target may get artifacts of both scopes. Pure. */
export function overlap(one: ArtifactScope, other: ArtifactScope): boolean {
  const [mine, theirs] = [placeOf(one), placeOf(other)];
  const areCompatible = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;
  return areCompatible(mine.store, theirs.store) && areCompatible(mine.targetId, theirs.targetId);
}

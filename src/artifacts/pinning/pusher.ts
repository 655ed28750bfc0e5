import { actingPerson, actorName, currentActor } from '../../common/access/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';

/** Who pushes a content now, and from where. @param commit the one that the push names */
export function pusher(
  commit: string | undefined,
): Pick<ArtifactEntity, 'pushedBy' | 'pushedById' | 'pushedFrom' | 'commit'> {
  const actor = currentActor();
  const pushedFrom = actor.kind === 'ci' ? actor.origin : null;
  const proven = pushedFrom?.commit ?? null;
  return { pushedBy: actorName(), pushedById: actingPerson(), pushedFrom, commit: commit ?? proven };
}

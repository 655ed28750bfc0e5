import { answer, type Schema, type Service } from '../api/service.js';
import type { PushedFinding } from '../preflight/findings.js';
import type { Target } from './targets.js';

type Artifact = Schema<'Artifact'>;

/** The version that is pinned for a target, with what its store does not accept in the package. */
export interface Pinned {
  readonly target: Target;
  readonly artifact: Artifact;
  readonly findings: readonly PushedFinding[];
}

/** The pinned versions of targets; those without one are left out. */
export async function pinnedFor(
  service: Service,
  extensionId: string,
  targets: readonly Target[],
): Promise<readonly Pinned[]> {
  const { artifacts } = await answer(
    service.client.GET('/api/v1/artifacts', { params: { query: { extension: extensionId } } }),
  );
  const found = new Map<string, readonly PushedFinding[]>();
  const pinned: Pinned[] = [];
  for (const target of targets) {
    const artifact = newestFor(target, artifacts);
    if (artifact === undefined) continue;
    const params = { path: { id: artifact.id } };
    const findings =
      found.get(artifact.id) ?? (await answer(service.client.GET('/api/v1/artifacts/{id}/findings', { params }))).items;
    found.set(artifact.id, findings);
    pinned.push({ target, artifact, findings: findings.filter(({ store }) => store === target.store) });
  }
  return pinned;
}

/** A target gets what was pinned last for all, for its store or for itself. Pure. */
const newestFor = ({ id, store }: Target, artifacts: readonly Artifact[]): Artifact | undefined =>
  artifacts
    .filter((each) => (each.store === null || each.store === store) && (each.targetId ?? id) === id)
    .toSorted((one, other) => Date.parse(other.pinnedAt) - Date.parse(one.pinnedAt))[0];

import type { components } from '../../../../clients/cli/src/api/schema.js';

type Schemas = components['schemas'];
type Finding = Schemas['PushedFinding'];

/** The parts of a package, and of a target, that matter here. */
type Pinned = Pick<Schemas['Artifact'], 'id' | 'store' | 'targetId' | 'pinnedAt'>;
type Place = Pick<Schemas['Target'], 'store' | 'enabled' | 'preflight'>;

/** The findings of each store, in the order in which they came. */
export const byStore = (findings: readonly Finding[]): readonly (readonly [Finding['store'], readonly Finding[]])[] =>
  [...new Set(findings.map(({ store }) => store))].map((store) => [
    store,
    findings.filter((one) => one.store === store),
  ]);

/** The findings of stores to which a package goes, or of all its stores while none is enabled. */
export function concerning(
  findings: readonly Finding[],
  { store }: Pick<Pinned, 'store'>,
  targets: readonly Pick<Place, 'store' | 'enabled'>[],
): readonly Finding[] {
  const enabled = targets.filter((one) => one.enabled);
  const stores = new Set((enabled.length > 0 ? enabled : targets).map((one) => one.store));
  return findings.filter((one) => (store === null || store === one.store) && stores.has(one.store));
}

/** The targets that do not send a version because of these findings. */
export const heldAt = <Target extends Place>(
  findings: readonly Finding[],
  targets: readonly Target[],
): readonly Target[] =>
  targets.filter(
    ({ store, enabled, preflight }) =>
      enabled && preflight === 'hold' && findings.some((one) => one.holds && one.store === store),
  );

/** Whether a package is the newest for a store; what was pushed before it is not sent any more. */
export const isNewestFor = (store: Finding['store'], { targetId, pinnedAt }: Pinned, all: readonly Pinned[]): boolean =>
  !all.some(
    (one) =>
      (one.store === null || one.store === store) &&
      (one.targetId === null || one.targetId === targetId) &&
      one.pinnedAt > pinnedAt,
  );

import { STORES } from '../../ui/names';
import type { components } from '../../../../clients/cli/src/api/schema.js';

type Schemas = components['schemas'];
type Target = Pick<Schemas['Target'], 'store' | 'channel' | 'storeItemId'>;

/** The name of a target among those of its extension: the store's, and the channel or item where a store has several. */
export function targetName(target: Target, all: readonly Target[]): string {
  const name = STORES[target.store];
  if (all.filter(({ store }) => store === target.store).length < 2) return name;
  const others = all.filter(({ store, channel }) => store === target.store && channel === target.channel);
  return `${name} ${others.length < 2 && target.channel !== null ? target.channel : (target.storeItemId ?? 'without item')}`;
}

/** The one target or store that an artifact is for; null for all. */
export function receiverName(
  { store, targetId }: Pick<Schemas['Artifact'], 'store' | 'targetId'>,
  all: readonly (Target & Pick<Schemas['Target'], 'id'>)[],
): string | null {
  const only = all.find(({ id }) => id === targetId);
  return only === undefined ? store && STORES[store] : targetName(only, all);
}

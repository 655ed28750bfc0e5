import { answer, type Schema, type Service } from '../api/service.js';
import { asFailure, Failure, usageFailure } from '../failure.js';
import { storeCalled, storeName, STORES, type StoreId } from '../stores.js';
import { list } from '../terminal/words.js';

export type Target = Schema<'Target'>;

/** Name of a target for people: its store, and its channel where that is not the usual one. */
export const targetName = ({ store, channel }: Pick<Target, 'store' | 'channel'>): string =>
  channel === null || channel === 'listed' ? storeName(store) : `${storeName(store)} (${channel})`;

/** The targets of an extension, in the order of the stores. */
export async function listTargets(service: Service, extensionId: string): Promise<Target[]> {
  const { targets } = await answer(
    service.client.GET('/api/v1/extensions/{id}/targets', { params: { path: { id: extensionId } } }),
  );
  return targets.toSorted((one, other) => STORES.indexOf(one.store) - STORES.indexOf(other.store));
}

/** Changes a target. Succeeds if the target already has these values. */
export async function updateTarget(
  service: Service,
  { id: targetId, extensionId: id }: Pick<Target, 'id' | 'extensionId'>,
  body: Schema<'UpdateTarget'>,
): Promise<void> {
  const params = { path: { id, targetId } };
  try {
    await answer(service.client.PATCH('/api/v1/extensions/{id}/targets/{targetId}', { params, body }));
  } catch (error) {
    if (asFailure(error).code !== 'nothing_to_update') throw error;
  }
}

/** A store by the names that people give it. @throws Failure for a name that is none */
export function storeOf(text: string): StoreId {
  const store = storeCalled(text);
  if (store === undefined) throw usageFailure(`"${text}" is not a known store.`, `The stores are ${list(STORES)}.`);
  return store;
}

/**
 * The target that is meant by an id, a store, or `store:channel`, such as `firefox:unlisted`.
 * @throws Failure when none or several could be meant
 */
export function chooseTarget(targets: readonly Target[], wanted: string): Target {
  const byId = targets.find(({ id }) => id === wanted.toLowerCase());
  if (byId !== undefined) return byId;
  const [name = '', channel] = wanted.split(':');
  const store = storeOf(name);
  const ofStore = targets.filter(
    (target) => target.store === store && (channel === undefined || target.channel === channel),
  );
  const enabled = ofStore.filter((target) => target.enabled);
  const candidates = enabled.length > 0 ? enabled : ofStore;
  const [only] = candidates;
  if (only === undefined) throw new Failure(`The extension has no target "${wanted}".`);
  if (candidates.length > 1)
    throw usageFailure(
      `The extension has ${candidates.length} targets at ${storeName(store)}. Name one by its id.`,
      candidates
        .map(({ id, channel: of, storeItemId }) => `${id}  ${of ?? ''} ${storeItemId ?? ''}`.trimEnd())
        .join('\n  '),
    );
  return only;
}

import { answer, type Schema, type Service } from '../api/service.js';
import { asFailure, usageFailure } from '../failure.js';
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

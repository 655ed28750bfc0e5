import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { storeCalled, storeName, STORES, type StoreId } from '../stores.js';
import { list } from '../terminal/words.js';
import { findExtension, type Extension } from './extensions.js';
import { listTargets, type Target } from './targets.js';

/** An extension and some of its targets. */
export interface Chosen {
  readonly service: Service;
  readonly extension: Extension;
  readonly targets: readonly Target[];
}

/**
 * The targets that a command is about: those that are named, or all that are enabled.
 * @throws Failure when an extension or a target is not found
 */
export async function chosenTargets(
  context: Context,
  extensionName: string | undefined,
  named: readonly string[],
): Promise<Chosen> {
  const service = await context.service();
  const extension = await findExtension(service, extensionName, await context.project());
  const all = await listTargets(service, extension.id);
  const targets =
    named.length === 0 ? all.filter(({ enabled }) => enabled) : named.map((name) => chooseTarget(all, name));
  return { service, extension, targets: [...new Set(targets)] };
}

/** Parameters by which a request names a target. */
export const pathOf = ({ id: targetId, extensionId: id }: Target): { id: string; targetId: string } => ({
  id,
  targetId,
});

/**
 * The target that is meant by its id, its item, a store, or a store with an item or a channel, such as `firefox:unlisted`.
 * @throws Failure when none or several could be meant
 */
export function chooseTarget(targets: readonly Target[], wanted: string): Target {
  const byId = targets.find(({ id }) => id === wanted.toLowerCase());
  if (byId !== undefined) return byId;
  const ofItem = targets.filter(({ storeItemId }) => storeItemId === wanted);
  const [name = '', ...rest] = wanted.split(':');
  const which = rest.length === 0 ? null : rest.join(':');
  const store = ofItem[0]?.store ?? storeCalled(name);
  if (store === undefined)
    throw usageFailure(
      `"${wanted}" is not a known store, and no id or item of a target.`,
      `The stores are ${list(STORES)}.`,
    );
  const ofStore =
    ofItem.length > 0
      ? ofItem
      : targets.filter(
          (target) =>
            target.store === store && (which === null || [target.channel, target.storeItemId].includes(which)),
        );
  const enabled = ofStore.filter((target) => target.enabled);
  const candidates = enabled.length > 0 ? enabled : ofStore;
  const [only] = candidates;
  if (only === undefined) throw new Failure(`The extension has no target "${wanted}".`);
  if (candidates.length > 1) throw severalAt(store, candidates, 'Name one by its id.');
  return only;
}

/** The failure of a command that is about one target, where its store has several. */
export const severalAt = (store: StoreId, targets: readonly Target[], advice: string): Failure =>
  usageFailure(
    `The extension has ${targets.length} targets at ${storeName(store)}. ${advice}`,
    targets
      .map(({ id, channel, storeItemId }) => `${id}  ${channel ?? ''} ${storeItemId ?? ''}`.trimEnd())
      .join('\n  '),
  );

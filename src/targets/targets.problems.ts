import { defineProblem } from '../common/problems/index.js';

export const TargetNotFound = defineProblem({
  code: 'target_not_found',
  status: 404,
  title: 'Target not found',
  cause: 'The extension has no target with this id.',
  remedy: 'List the targets with GET /extensions/{id}/targets.',
});

export const TargetElsewhere = defineProblem(
  {
    code: 'target_elsewhere',
    status: 422,
    title: 'Target of another store',
    cause: 'The request names a store, and a target that is at another one.',
    remedy: 'Name a target of that store, or the target alone.',
  },
  (store: string, at: string) => `The target is at ${at}, and not at ${store}. Name one of the two.`,
);

/** A target, by what people know it by. */
interface Choice {
  readonly targetId: string;
  readonly storeItemId: string | null;
  readonly channel: string | null;
}

export const SeveralTargets = defineProblem(
  {
    code: 'several_targets',
    status: 409,
    title: 'Several targets at one store',
    cause: 'The package would go to several enabled targets of one store, and the request names none of them.',
    remedy: 'Name the target with the parameter target, and push to each other store with the parameter store.',
  },
  (store: string, targets: readonly Choice[]) => ({
    detail: `${store} has ${targets.length} enabled targets: ${targets.map(nameOf).join(' and ')}. Name the one that the version is for with the parameter target; other stores get it with the parameter store.`,
    members: { targets: targets.map(({ targetId: id, storeItemId, channel }) => ({ id, storeItemId, channel })) },
  }),
);

const nameOf = ({ targetId, storeItemId, channel }: Choice): string =>
  [storeItemId ?? 'one without an item', ...(channel === null ? [] : [channel]), `(${targetId})`].join(' ');

export const TargetLimitReached = defineProblem(
  {
    code: 'target_limit_reached',
    status: 403,
    title: 'Too many targets',
    cause: 'The extension has as many targets as MAX_TARGETS_PER_EXTENSION allows.',
    remedy: 'Delete a target that you no longer use.',
  },
  (limit: number) => ({ detail: `An extension can have at most ${limit} targets.`, members: { limit } }),
);

export const DuplicateTarget = defineProblem(
  {
    code: 'duplicate_target',
    status: 409,
    title: 'Duplicate target',
    cause: 'Another target of the extension publishes to the same item and channel.',
    remedy: 'Change that target instead.',
  },
  () => 'This extension already has a target for that item and channel.',
);

export const ItemEnabledTwice = defineProblem(
  {
    code: 'item_enabled_twice',
    status: 409,
    title: 'Item enabled twice',
    cause:
      'Another of the tenant’s targets, of this extension or another one, is enabled for the same item. Only one target can publish to it.',
    remedy: 'Disable the other target first.',
  },
  () =>
    'Another of your targets, of this extension or another one, is enabled for that item, and only one target can publish to it. Disable that target first, or leave this one disabled.',
);

export const NothingToRelease = defineProblem(
  {
    code: 'nothing_to_release',
    status: 409,
    title: 'Nothing to release',
    cause: 'No approved version of this target is waiting to be released.',
    remedy: 'Check the target’s status; the store has to approve a version first.',
  },
  (why: string) => `Nothing is waiting to be released: ${why}`,
);

export const NothingToResubmit = defineProblem(
  {
    code: 'nothing_to_resubmit',
    status: 409,
    title: 'Nothing to submit again',
    cause: 'The review of this target’s version has not failed.',
    remedy:
      'Check the target’s status; a version is submitted again after the store rejected it, or its review was cancelled.',
  },
  (why: string) => `Nothing is to be submitted again: ${why}`,
);

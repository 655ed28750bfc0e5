import { defineProblem } from '../common/problems/index.js';

export const TargetNotFound = defineProblem(
  {
    code: 'target_not_found',
    status: 404,
    title: 'Target not found',
    cause: 'The id is not a target of this extension.',
    remedy: 'List the targets with GET /extensions/{id}/targets.',
  },
  () => 'This extension has no target with that id.',
);

export const TargetLimitReached = defineProblem(
  {
    code: 'target_limit_reached',
    status: 403,
    title: 'Too many targets',
    cause: 'The extension has as many targets as MAX_TARGETS_PER_EXTENSION allows.',
    remedy: 'Delete a target that is no longer used.',
  },
  (limit: number) => ({ detail: `An extension may have ${limit} targets.`, members: { limit } }),
);

export const DuplicateTarget = defineProblem(
  {
    code: 'duplicate_target',
    status: 409,
    title: 'Duplicate target',
    cause: 'Another target of the extension stands for the same item and channel of the store.',
    remedy: 'Change that target instead.',
  },
  () => 'This extension has another target for that item of the store; two would work against each other.',
);

export const ItemEnabledTwice = defineProblem(
  {
    code: 'item_enabled_twice',
    status: 409,
    title: 'Item enabled twice',
    cause:
      'Another target, of this extension or of another one of the tenant, is enabled for the same item. Only one of them can publish it.',
    remedy: 'Disable the other target first.',
  },
  () =>
    'Another target of yours, of this extension or of another one, is enabled for that item of the store, and only one of them can publish it. Disable that target first, or leave this one disabled.',
);

export const NothingToRelease = defineProblem(
  {
    code: 'nothing_to_release',
    status: 409,
    title: 'Nothing to release',
    cause: 'No approved version of this target waits for its release.',
    remedy: 'Look at the target’s status; a version has to be approved first.',
  },
  (why: string) => `Nothing waits to be released: ${why}`,
);

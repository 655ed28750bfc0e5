import { defineProblem } from '../common/problems/index.js';

export const TargetNotFound = defineProblem(
  { code: 'target_not_found', status: 404, title: 'Target not found' },
  () => 'This extension has no target with that id.',
);

export const DuplicateTarget = defineProblem(
  { code: 'duplicate_target', status: 409, title: 'Duplicate target' },
  () => 'This extension has another target for that item of the store; two would work against each other.',
);

export const ItemEnabledTwice = defineProblem(
  { code: 'item_enabled_twice', status: 409, title: 'Item enabled twice' },
  () =>
    'Another target of this extension is enabled for that item of the store, where only one of them could have a version number. Disable that target first, or leave this one disabled.',
);

export const NothingToRelease = defineProblem(
  { code: 'nothing_to_release', status: 409, title: 'Nothing to release' },
  (why: string) => `Nothing waits to be released: ${why}`,
);

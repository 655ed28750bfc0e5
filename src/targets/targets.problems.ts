import { defineProblem } from '../common/problems/index.js';

export const TargetNotFound = defineProblem(
  { code: 'target_not_found', status: 404, title: 'Target not found' },
  () => 'This extension has no target with that id.',
);

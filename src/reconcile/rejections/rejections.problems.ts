import { defineProblem } from '../../common/problems/index.js';
import type { ReleaseState } from '../releases/pure.js';

export const VersionNotRejected = defineProblem(
  {
    code: 'version_not_rejected',
    status: 409,
    title: 'Version not rejected',
    cause: 'The store has not rejected this version, as far as Pierhead knows.',
    remedy: 'List the versions and their states with GET /extensions/{id}/releases.',
  },
  (version: string, store: string, state: ReleaseState | undefined) =>
    `${store} has not rejected version ${version}${state === undefined ? ', which never set out there' : stateClause(state)}.`,
);

const stateClause = (state: ReleaseState): string =>
  state === 'failed'
    ? ' in a review; its release shows why it failed before one'
    : `; it is ${state.replaceAll('_', ' ')}`;

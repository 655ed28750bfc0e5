import { defineProblem } from '../../common/problems/index.js';

export const VersionNotRejected = defineProblem(
  {
    code: 'version_not_rejected',
    status: 409,
    title: 'Version not rejected',
    cause: 'The store has not rejected this version, as far as Pierhead knows.',
    remedy: 'List the versions and their states with GET /extensions/{id}/releases.',
  },
  (version: string, store: string, state: string | null) =>
    `${store} has not rejected version ${version}${state === null ? ', which never set out there' : `; it is ${state}`}.`,
);

import { defineProblem } from '../../common/problems/index.js';
import type { ApprovalState } from './approval.entity.js';

export const ApprovalNotFound = defineProblem({
  code: 'approval_not_found',
  status: 404,
  title: 'Approval not found',
  cause: 'The tenant has no approval with this id.',
  remedy: 'List the approvals with GET /approvals.',
});

export const OwnRelease = defineProblem({
  code: 'own_release',
  status: 403,
  title: 'Own release',
  cause: 'The caller pushed this version, or asked for it to be sent. Another person has to decide.',
  remedy: 'Ask another owner, admin or publisher of the tenant.',
});

export const ApprovalDecided = defineProblem(
  {
    code: 'approval_decided',
    status: 409,
    title: 'Approval decided',
    cause: 'Somebody decided otherwise, or the request was withdrawn: other content or another version was pinned.',
    remedy: 'Retrieve it with GET /approvals/{id}; what waits now is in GET /approvals.',
  },
  (state: ApprovalState, by: string | null) =>
    state === 'withdrawn'
      ? 'This request was withdrawn: other content or another version is pinned now, or no approval is required any more.'
      : `${by ?? 'Somebody'} has ${state} this request.`,
);

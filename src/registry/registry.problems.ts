import { defineProblem } from '../common/problems/index.js';

export const ExtensionNotFound = defineProblem({
  code: 'extension_not_found',
  status: 404,
  title: 'Extension not found',
  cause: 'The tenant has no extension with this id.',
  remedy: 'List the extensions with GET /extensions.',
});

export const DuplicateName = defineProblem(
  {
    code: 'duplicate_name',
    status: 409,
    title: 'Duplicate name',
    cause:
      'The tenant already has an extension with this name. Names are compared without case and surrounding spaces.',
    remedy: 'Choose another name.',
  },
  (name: string) => `This tenant already has an extension named ${name}. Names are compared without case.`,
);

export const LicensesIssued = defineProblem(
  {
    code: 'licenses_issued',
    status: 409,
    title: 'Licenses issued',
    cause: 'The extension has licenses. Revoked licenses count.',
    remedy: 'Revoke and delete each license first.',
  },
  () => 'This extension has licenses, revoked ones included. Revoke and delete each of them first.',
);

export const TenantPlanLimitReached = defineProblem(
  {
    code: 'plan_limit_reached',
    status: 403,
    title: 'Plan limit reached',
    cause: "The tenant's quota allows no more extensions.",
    remedy: 'Delete an extension, or ask the operator for a larger quota.',
  },
  (limit: number) => ({ detail: `This tenant's quota allows ${limit} extensions.`, members: { limit } }),
);

export const ApprovalNeedsTwo = defineProblem(
  {
    code: 'approval_needs_two',
    status: 409,
    title: 'Approval needs two people',
    cause: 'Fewer than two members of the tenant may publish, so nobody could approve what the other one pushes.',
    remedy: 'Invite another owner, admin or publisher with POST /invitations first.',
  },
  (count: number) =>
    `${count === 1 ? 'Only one member' : 'No member'} of this tenant may publish, so nobody could approve what is pushed. Invite another owner, admin or publisher first.`,
);

export const ApprovalSettingRefused = defineProblem({
  code: 'approval_setting_refused',
  status: 403,
  title: 'Approval setting refused',
  cause:
    'Only an owner or admin who is logged in may change whether approvals are required, and delete an extension that requires them, delete one of its targets or point it at another item; no access token and no CI job can.',
  remedy: 'Log in to the console as an owner or admin, or ask one.',
});

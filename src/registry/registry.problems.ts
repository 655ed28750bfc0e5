import { defineProblem } from '../common/problems/index.js';

export const ExtensionNotFound = defineProblem(
  {
    code: 'extension_not_found',
    status: 404,
    title: 'Extension not found',
    cause: 'The id is not one of this tenant’s extensions.',
    remedy: 'List them with GET /extensions.',
  },
  () => 'This tenant has no extension with that id.',
);

export const DuplicateName = defineProblem(
  {
    code: 'duplicate_name',
    status: 409,
    title: 'Duplicate name',
    cause: 'The tenant has an extension of this name. Case and surrounding blanks do not count.',
    remedy: 'Choose another name.',
  },
  (name: string) => `This tenant already has an extension called ${name}; upper and lower case count as the same.`,
);

export const LicensesIssued = defineProblem(
  {
    code: 'licenses_issued',
    status: 409,
    title: 'Licenses were issued',
    cause: 'Licenses exist, revoked ones included.',
    remedy: 'Revoke and delete each license first.',
  },
  () => 'Licenses were issued here, and revoked ones count. Revoke and delete each of them first.',
);

export const PlanLimitReached = defineProblem(
  {
    code: 'plan_limit_reached',
    status: 403,
    title: 'Plan limit reached',
    cause: 'The tenant’s plan allows no more extensions.',
    remedy: 'Delete an extension, or ask the operator for a larger plan.',
  },
  (limit: number) => ({ detail: `This tenant's plan allows ${limit} extensions.`, members: { limit } }),
);

import { defineProblem } from '../common/problems/index.js';

export const ExtensionNotFound = defineProblem(
  { code: 'extension_not_found', status: 404, title: 'Extension not found' },
  () => 'This tenant has no extension with that id.',
);

export const DuplicateName = defineProblem(
  { code: 'duplicate_name', status: 409, title: 'Duplicate name' },
  (name: string) => `This tenant already has an extension called ${name}; upper and lower case count as the same.`,
);

export const LicensesIssued = defineProblem(
  { code: 'licenses_issued', status: 409, title: 'Licenses were issued' },
  () => 'Licenses were issued here, and revoked ones count. Revoke and delete each of them first.',
);

export const PlanLimitReached = defineProblem(
  { code: 'plan_limit_reached', status: 403, title: 'Plan limit reached' },
  (limit: number) => ({ detail: `This tenant's plan allows ${limit} extensions.`, members: { limit } }),
);

import { defineProblem } from '../common/problems/index.js';

export const PlanNotFound = defineProblem(
  {
    code: 'plan_not_found',
    status: 404,
    title: 'Plan not found',
    cause: 'The id is not one of this tenant’s plans.',
    remedy: 'List them with GET /plans.',
  },
  () => 'This tenant has no plan with that id.',
);

export const LicensePlanLimitReached = defineProblem(
  {
    code: 'license_plan_limit_reached',
    status: 403,
    title: 'Too many plans',
    cause: 'The extension has as many plans as MAX_PLANS_PER_EXTENSION allows.',
    remedy: 'Delete a plan under which no license was issued.',
  },
  (limit: number) => ({ detail: `An extension may have ${limit} plans.`, members: { limit } }),
);

export const TierExists = defineProblem(
  {
    code: 'tier_exists',
    status: 409,
    title: 'Tier already exists',
    cause: 'The extension has a plan of this tier.',
    remedy: 'Change that plan, or choose another tier.',
  },
  (tier: string) => `This extension already has a plan for the tier ${tier}.`,
);

export const ProductTaken = defineProblem(
  {
    code: 'product_taken',
    status: 409,
    title: 'Product belongs to another plan',
    cause: 'Another plan lists one of these products.',
    remedy: 'Remove it there first.',
  },
  () => 'Another plan of this tenant names one of these products already; a payment of it could mean either.',
);

export const LicenseNotFound = defineProblem(
  {
    code: 'license_not_found',
    status: 404,
    title: 'License not found',
    cause: 'The id is not one of this tenant’s licenses.',
    remedy: 'List them with GET /licenses.',
  },
  () => 'This tenant has no license with that id.',
);

export const LicenseOrDeviceNotFound = defineProblem(
  {
    code: 'license_or_device_not_found',
    status: 404,
    title: 'License or device not found',
    cause: 'The license is unknown, or the device never held a seat on it.',
    remedy: 'Check the code and the fingerprint.',
  },
  () => 'There is no such license, or the device never held a seat on it.',
);

export const LicenseRevoked = defineProblem(
  {
    code: 'license_revoked',
    status: 409,
    title: 'License is revoked',
    cause: 'The license was revoked: through the API, or because its payment was refunded or its dispute lost.',
    remedy:
      'Reinstate the license if a payment revoked it. What was revoked through the API is final: issue another license.',
  },
  () =>
    'The license is revoked. If a refund or a dispute revoked it, reinstate it first; what was revoked through the API is final: issue another license.',
);

export const LicenseNotRevoked = defineProblem(
  {
    code: 'license_not_revoked',
    status: 409,
    title: 'License is not revoked',
    cause: 'Only a revoked license can be deleted.',
    remedy: 'Revoke it first.',
  },
  () => 'Only a revoked license can be deleted. Revoke it first.',
);

export const LicensingNotEnabled = defineProblem(
  {
    code: 'licensing_not_enabled',
    status: 403,
    title: 'Licensing is not enabled',
    cause: 'The extension is unknown, has no plan, or its licensing is switched off.',
    remedy: 'Check the extension id; create a plan and enable licensing.',
  },
  () => 'There is no such extension, or it has no plan, or its licensing is switched off.',
);

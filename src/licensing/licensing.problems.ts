import { defineProblem } from '../common/problems/index.js';

export const PlanNotFound = defineProblem(
  { code: 'plan_not_found', status: 404, title: 'Plan not found' },
  () => 'This tenant has no plan with that id.',
);

export const TierExists = defineProblem(
  { code: 'tier_exists', status: 409, title: 'Tier already exists' },
  (tier: string) => `This extension already has a plan for the tier ${tier}.`,
);

export const ProductTaken = defineProblem(
  { code: 'product_taken', status: 409, title: 'Product belongs to another plan' },
  () => 'Another plan of this tenant names one of these products already; a payment of it could mean either.',
);

export const LicenseNotFound = defineProblem(
  { code: 'license_not_found', status: 404, title: 'License not found' },
  () => 'This tenant has no license with that id.',
);

export const LicenseOrDeviceNotFound = defineProblem(
  { code: 'license_or_device_not_found', status: 404, title: 'License or device not found' },
  () => 'There is no such license, or the device never held a seat on it.',
);

export const LicenseRevoked = defineProblem(
  { code: 'license_revoked', status: 409, title: 'License is revoked' },
  () => 'The license is revoked, and that is final. Issue another one.',
);

export const LicenseNotRevoked = defineProblem(
  { code: 'license_not_revoked', status: 409, title: 'License is not revoked' },
  () => 'Only a revoked license can be deleted. Revoke it first.',
);

export const LicensingNotEnabled = defineProblem(
  { code: 'licensing_not_enabled', status: 403, title: 'Licensing is not enabled' },
  () => 'There is no such extension, or it has no plan, or its licensing is switched off.',
);

import { defineProblem } from '../common/problems/index.js';
import { isRevokedByPayment, type Revocation } from './licenses/license-status.js';

export const PlanNotFound = defineProblem({
  code: 'plan_not_found',
  status: 404,
  title: 'Plan not found',
  cause: 'The tenant has no plan with this id.',
  remedy: 'List the plans with GET /plans.',
});

export const LicensePlanLimitReached = defineProblem(
  {
    code: 'license_plan_limit_reached',
    status: 403,
    title: 'Too many license plans',
    cause: 'The extension has as many plans as MAX_PLANS_PER_EXTENSION allows.',
    remedy: 'Delete a plan that has no licenses.',
  },
  (limit: number) => ({ detail: `An extension can have at most ${limit} plans.`, members: { limit } }),
);

export const TierExists = defineProblem(
  {
    code: 'tier_exists',
    status: 409,
    title: 'Tier already exists',
    cause: 'The extension already has a plan for this tier.',
    remedy: 'Change that plan, or choose another tier.',
  },
  (tier: string) => `This extension already has a plan for the tier ${tier}.`,
);

export const TrialOffered = defineProblem(
  {
    code: 'trial_offered',
    status: 409,
    title: 'Another plan offers a trial',
    cause: 'Another plan of the extension has trialDays, so a device could not tell which trial it gets.',
    remedy: 'Set trialDays of that plan to null first.',
  },
  () => 'Another plan of this extension offers a trial. Set its trialDays to null first.',
);

export const CheckoutNotOffered = defineProblem(
  {
    code: 'checkout_not_offered',
    status: 404,
    title: 'No checkout',
    cause:
      'The extension has no plan of this tier whose products have a `checkoutUrl`, or none at the payment processor that was asked for.',
    remedy: 'Set `checkoutUrl` of one of the plan’s products.',
  },
  (tier: string) => `No product of the plan ${tier} has the address of a checkout.`,
);

export const ProductTaken = defineProblem(
  {
    code: 'product_taken',
    status: 409,
    title: 'Product belongs to another plan',
    cause: 'Another plan of the extension lists one of these products.',
    remedy: 'Remove the product from the other plan first.',
  },
  () =>
    'Another plan of this extension lists one of these products, so a payment could be for either plan. Remove the product there first.',
);

export const LicenseNotFound = defineProblem({
  code: 'license_not_found',
  status: 404,
  title: 'License not found',
  cause: 'The tenant has no license with this id.',
  remedy: 'List the licenses with GET /licenses.',
});

export const TooManyLicenses = defineProblem(
  {
    code: 'too_many_licenses',
    status: 409,
    title: 'Too many licenses',
    cause: 'More licenses match than one bulk change may cover.',
    remedy: 'Narrow the filter, for example to one extension or status.',
  },
  (limit: number) => ({ detail: `More than ${limit} licenses match. Narrow the filter.`, members: { limit } }),
);

export const LicenseOrDeviceNotFound = defineProblem({
  code: 'license_or_device_not_found',
  status: 404,
  title: 'License or device not found',
  cause: 'The license does not exist, or the device never held a seat on it.',
  remedy: 'Check the license or its code, and the device.',
});

export const LicenseNeverExpires = defineProblem({
  code: 'license_never_expires',
  status: 409,
  title: 'License never expires',
  cause: 'A license that never expires cannot be extended.',
  remedy: 'Set `expiresAt` with PATCH /licenses/{id} if it is to expire.',
});

export const LicenseNotBegun = defineProblem({
  code: 'license_not_begun',
  status: 409,
  title: 'License has not begun',
  cause: 'The duration of this license begins at its first activation, so nothing says yet when it expires.',
  remedy: 'Set `expiresAt` with PATCH /licenses/{id}, or wait for the first activation.',
});

export const LicenseRevoked = defineProblem(
  {
    code: 'license_revoked',
    status: 409,
    title: 'License is revoked',
    cause: 'The license was revoked through the API, by a refund, or by a lost dispute.',
    remedy:
      'If a refund or a dispute revoked the license, reinstate it first. A revocation through the API is final: issue another license.',
  },
  (license: { readonly revokedFor: Revocation | null }) =>
    isRevokedByPayment(license)
      ? 'A refund or a dispute revoked the license. Reinstate it first.'
      : 'The license was revoked for good and cannot be reinstated. Issue another license.',
);

export const LicenseWithoutOwner = defineProblem({
  code: 'license_without_owner',
  status: 409,
  title: 'License has no owner',
  cause: 'Nobody owns the license yet, so there is no address to mail its code to.',
  remedy: 'Set its buyerEmail with PATCH /licenses/{id} first.',
});

export const LicenseNotRevoked = defineProblem(
  {
    code: 'license_not_revoked',
    status: 409,
    title: 'License is not revoked',
    cause: 'The license is not revoked, and only a revoked license can be deleted.',
    remedy: 'Revoke the license first.',
  },
  () => 'Only a revoked license can be deleted. Revoke it first.',
);

export const LicensingNotEnabled = defineProblem({
  code: 'licensing_not_enabled',
  status: 403,
  title: 'Licensing is not enabled',
  cause: 'The extension does not exist, has no plan, or has licensing turned off.',
  remedy: 'Check the extension id. Then create a plan and turn licensing on.',
});

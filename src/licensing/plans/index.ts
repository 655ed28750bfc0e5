/** Plans, and what of an extension every check of a license needs. */
export { CheckoutLinks } from './checkout-links.js';
export { ExtensionCache, type ExtensionFacts } from './extension-cache.js';
export { EntitlementsField, METADATA, MetadataField } from './entitlements.js';
export * from './pure.js';
export { extendedBy, TERM_UNITS, type Term, type TermUnit } from './term.js';
export { LicensePlanEntity } from './license-plan.entity.js';
export { LicensePlansRepository } from './license-plans.repository.js';
export { LicensePlansService } from './license-plans.service.js';
export { MAX_TRIAL_DAYS } from './plans.dto.js';
export { MAX_LICENSE_SEATS } from './seat-limit.js';
export { MaxMembersField, SeatsPerMemberField } from './team-fields.js';

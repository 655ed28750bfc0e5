/**
 * Extensions and their timelines. Names are unique per tenant, and the quota's limit holds under any race. Targets, packages and licenses
 * take part through hooks.
 */
export { TenantExtensionsModule } from './tenant-extensions.module.js';
export { RegistryModule } from './registry.module.js';
export { ExtensionsService, type ChangedApproval, type ExtensionRef } from './extensions.service.js';
export { EventsService, type AppendedEvent, type NewEvent } from './timeline/events.service.js';
export type { WayEvent } from './timeline/events.repository.js';
export { Extension } from './registry.dto.js';
export { ExtensionEntity } from './extension.entity.js';
export { ApprovalSettingRefused, ExtensionNotFound, LicensesIssued } from './registry.problems.js';

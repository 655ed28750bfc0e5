/**
 * Extensions and their timelines. Promises unique names per tenant and the plan's limit under any race.
 * Never knows of targets, packages or licenses: those folders take part through its hooks.
 */
export { RegistryModule } from './registry.module.js';
export { ExtensionsService, type ExtensionRef } from './extensions.service.js';
export { EventsService, type AppendedEvent, type NewEvent } from './events.service.js';
export { ExtensionEntity } from './extension.entity.js';
export { ExtensionNotFound, LicensesIssued } from './registry.problems.js';

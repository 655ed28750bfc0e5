/**
 * Leaving: an export of all that a tenant has, and the deletion of a tenant. It knows the tables of all other folders, since nothing
 * may be forgotten.
 */
export { LeavingModule } from './leaving.module.js';
/** @public for tests, which decide when it runs */
export { ExportWorker } from './exports/export.worker.js';
/** @public for tests, which decide when it runs */
export { TenantDeletionWorker } from './deletion/tenant-deletion.worker.js';

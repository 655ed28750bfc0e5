/**
 * Leaving: an export of all that a tenant has, and the deletion of a tenant. The one folder that knows the tables of all others, since nothing
 * may be forgotten.
 */
export { LeavingModule } from './leaving.module.js';
/** @public for tests, which decide when it runs */
export { ExportWorker } from './exports/export.worker.js';
/** @public for tests, which decide when it runs */
export { TenantDeletionWorker } from './deletion/tenant-deletion.worker.js';

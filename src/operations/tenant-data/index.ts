/**
 * Exports of all data of a tenant, and the deletion of tenants. Knows the tables of all other folders, so that nothing is left out.
 */
export { TenantDataModule } from './tenant-data.module.js';
/** @public for tests, which decide when it runs */
export { ExportWorker } from './exports/export.worker.js';
/** @public for tests, which decide when it runs */
export { TenantDeletionWorker } from './deletion/tenant-deletion.worker.js';

/**
 * The publishing engine: a pure planner, an executor that writes intent before each call, a scheduler with work locks.
 * A crash at any point doubles nothing at a store. It never cancels or releases what Pierhead did not start.
 */
export { AnnouncementsService } from './announcements/index.js';
export { ReconcileModule } from './reconcile.module.js';
export { ReconcileWorker } from './reconcile.worker.js';
export { NOTHING_TOLD, type FileOutcome, type ToldOfFile } from './planning/served-file-news.js';
export { ServedFilesService } from './served-files.service.js';
export { StoreBudgetService } from './store-budget.service.js';

/** Imports of the export files of other tools: previewed, and carried out in the background. */
export { ImportFactsService } from './import-facts.service.js';
export { ImportPagesService } from './import-pages.service.js';
export { ImportResultsService } from './import-results.service.js';
export { ImportRunnerService } from './import-runner.service.js';
export { ImportsController } from './imports.controller.js';
export { ImportsRepository } from './imports.repository.js';
export { ImportsService } from './imports.service.js';
export { ImportWorker } from './import.worker.js';
export { LicenseImportEntity, LicenseImportPageEntity } from './license-import.entity.js';

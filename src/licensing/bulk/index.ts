/** Licenses by the hundred: import, export, and bulk changes. */
export { IMPORT_COLUMNS, type ReadLine } from './import-line.js';
export { type ImportContext, ImportLinesService, LINES_TOGETHER, type LineResult } from './import-lines.service.js';
export { LicenseImportService } from './license-import.service.js';

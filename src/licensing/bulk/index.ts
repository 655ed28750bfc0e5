/** Licenses by the hundred: lines of an import, export, and bulk changes. */
export { IMPORT_COLUMNS, type ReadLine } from './import-line.js';
export { type ImportContext, ImportLinesService, LINES_TOGETHER, type LineResult } from './import-lines.service.js';

/** Changes between two versions that were pushed, and between what was sent to a store and what it serves. */
export { ComparisonController } from './comparison.controller.js';
export { ComparedVersion } from './comparison.dto.js';
export { ComparisonService } from './comparison.service.js';
export type { ServedDifferences } from './served-differences.js';
export { ServedPackagesService, UnreadableFile, type SentPackage } from './served-packages.service.js';

/** Changes between two versions that were pushed. */
export { ComparisonController } from './comparison.controller.js';
export { ComparedVersion } from './comparison.dto.js';
export { ComparisonService } from './comparison.service.js';

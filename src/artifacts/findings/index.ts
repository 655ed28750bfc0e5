/** What stores do not accept in the packages that were pushed, and what people decided about it. */
export { FindingOverrideEntity } from './finding-override.entity.js';
export { FindingsController } from './findings.controller.js';
export { PushedFinding } from './findings.dto.js';
export { FindingsRepository } from './findings.repository.js';
export { FindingsService } from './findings.service.js';

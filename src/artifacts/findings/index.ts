/** Findings in the packages that were pushed, and decisions of people about them. */
export { FindingOverrideEntity } from './finding-override.entity.js';
export { FindingsController } from './findings.controller.js';
export { FindingDecision, PushedFinding } from './findings.dto.js';
export { FindingsRepository } from './findings.repository.js';
export { FindingsService } from './findings.service.js';

/** Approvals of versions by another person than the one who pushed them, for extensions that require them. */
export { ApprovalEntity } from './approval.entity.js';
export { ApprovalsController } from './approvals.controller.js';
export { CiOriginView } from './approvals.dto.js';
export { ApprovalsRepository } from './approvals.repository.js';
export { ApprovalsService } from './approvals.service.js';
export { CLEARED, type Clearance } from './clearance.js';
export { DecisionsService } from './decisions.service.js';

/** Why stores rejected versions, and what can be done then. */
export { RejectionReasonEntity } from './rejection-reason.entity.js';
export { RejectionsController } from './rejections.controller.js';
export { RejectionsRepository } from './rejections.repository.js';
export { RejectionsService } from './rejections.service.js';

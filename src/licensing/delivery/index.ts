/**
 * Delivery of codes to buyers: by mail, or claimed by the seller's page. A code is sealed until it is delivered, and deleted when it has
 * been delivered, given up or replaced. Payments are unknown here.
 */
export { DeliveryModule } from './delivery.module.js';
export type { MailedOrder } from './code-mail.js';
export { CodeMailsService, PURPOSE as CODE_MAIL } from './code-mails.service.js';
export { PURPOSE as END_MAIL } from './end-notices.service.js';
export { claimDigest } from './claim-token.js';
export { CodeClaimsService } from './code-claims.service.js';

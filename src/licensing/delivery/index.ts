/**
 * Codes on their way to whoever bought them: by mail, or claimed by the shop's own page. Promises that a code is readable nowhere on
 * the way, and forgotten once it has arrived, was given up or was replaced. Never knows who paid or how.
 */
export { DeliveryModule } from './delivery.module.js';
export { CodeMailsService } from './code-mails.service.js';
export { CodeClaimsService } from './code-claims.service.js';
export { claimDigest } from './claim-token.js';

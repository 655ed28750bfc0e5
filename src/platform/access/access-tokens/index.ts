/** Access tokens: what they may be restricted to, and what a new one or a verified one is. */
export { MAX_RESTRICTED_TO } from './access-tokens.dto.js';
export { AccessTokensService, type TokenClaims } from './access-tokens.service.js';
export { clientNameIn } from './client-name.js';
export { RestrictionsService } from './restrictions.service.js';
export { TenantExtensions } from './tenant-extensions.js';

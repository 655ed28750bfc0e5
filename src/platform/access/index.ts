/**
 * Access to routes: access tokens, also those of CI services, and the guards. No route is open by accident, a revoked token is refused at once,
 * and a secret is shown only once.
 */
export { AccessModule } from './access.module.js';
export { CiModule } from './ci.module.js';
export { ExchangedToken } from './access-tokens/access-tokens.dto.js';
export { AccessTokensService } from './access-tokens/access-tokens.service.js';
export { TenantExtensions } from './access-tokens/tenant-extensions.js';
export { AccessGuard } from './guards/access.guard.js';
export { RestrictionGuard } from './guards/restriction.guard.js';

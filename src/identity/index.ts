/**
 * Tenants, users, sessions and access tokens, and the guard that admits them.
 * Promises that no route is open by accident and that a revoked token is refused at once. Never shows a secret twice.
 */
export { IdentityModule } from './identity.module.js';
export { AccountsService } from './accounts.service.js';
export { TenantEntity } from './tenant.entity.js';

/**
 * Tenants, users, sessions and access tokens, and the guard that authenticates requests. No route is open by accident, a revoked token is
 * refused at once, and a secret is shown only once.
 */
export { IdentityModule } from './identity.module.js';
export { AccessTokensService } from './access-tokens/access-tokens.service.js';
export { RestrictionsService } from './access-tokens/restrictions.service.js';
export { RestrictionGuard } from './access/restriction.guard.js';
export { SecondFactorGuard } from './second-factor/second-factor.guard.js';
export { AccessGuard } from './access/access.guard.js';
export { AccountsService } from './accounts/accounts.service.js';
export { CLI_LOGIN_PATHS } from './cli-login/cli-login-page.controller.js';
export { INVITATION_PATHS } from './members/invitations/invitation-page.controller.js';
export { LOGIN_LINK_PATH } from './sign-in/login-links.service.js';
export { NotFoundForOperator, OperatorService, RefusedToOperator } from './operator/operator.service.js';
export { RESET_PAGE_PATH } from './passwords/reset/password-resets.service.js';
export { TenantEntity } from './accounts/tenant.entity.js';
export { PasswordsService } from './passwords/passwords.service.js';
export { PasswordField } from './passwords/password-fields.js';
export { WrongPassword } from './passwords/passwords.problems.js';

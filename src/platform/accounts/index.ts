/**
 * Tenants, users and their memberships, passwords and sessions. A tenant always keeps an owner, and what a stranger attached to an account ends when
 * the owner of its address shows up.
 */
export { AccountsModule } from './accounts.module.js';
export { Me, ServiceBuild, Signup } from './accounts.dto.js';
export {
  AddressNotConfirmed,
  EmailTaken,
  InvalidCredentials,
  NoTenant,
  SignupClosed,
  TenantNotFound,
} from './accounts.problems.js';
export { AccountsRepository } from './accounts.repository.js';
export { AccountsService } from './accounts.service.js';
export { AddressProofsService } from './address-proofs.service.js';
export { MembershipEntity } from './membership.entity.js';
export { MembershipsRepository } from './memberships.repository.js';
export { TenantEntity } from './tenant.entity.js';
export { UserAuditService } from './user-audit.service.js';
export { UserEntity } from './user.entity.js';
export { LoginRefusalsService } from './guessing/login-refusals.service.js';
export { MembersService } from './members/members.service.js';
export { faultOfNewPassword } from './passwords/new-password.js';
export { PasswordField } from './passwords/password-fields.js';
export { NeedsPasswordLogin } from './passwords/password-login.guard.js';
export { PasswordLoginService } from './passwords/password-login.service.js';
export { PASSWORD_MAX, PASSWORD_MIN } from './passwords/password-rule.js';
export { WrongPassword } from './passwords/passwords.problems.js';
export { PasswordsService } from './passwords/passwords.service.js';
export { SessionCookie } from './sessions/session-cookie.js';
export { SessionEntity } from './sessions/session.entity.js';
export { SessionsRepository } from './sessions/sessions.repository.js';
export { SessionsService, type SessionStart } from './sessions/sessions.service.js';
export { InvitationExpired } from './invitations/invitations.problems.js';
export { InvitationsService } from './invitations/invitations.service.js';

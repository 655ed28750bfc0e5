import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../../common/config/index.js';
import { pageHeaders } from '../../common/http/index.js';
import { MailModule } from '../mail/index.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessTokenEntity } from './access-tokens/access-token.entity.js';
import { AccessTokensController } from './access-tokens/access-tokens.controller.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AuthController } from './sign-in/auth.controller.js';
import { AuthService } from './sign-in/auth.service.js';
import { LoginLinkController } from './sign-in/login-link.controller.js';
import { LoginLinkEntity } from './sign-in/login-link.entity.js';
import { LoginLinksRepository } from './sign-in/login-links.repository.js';
import { LoginLinksService } from './sign-in/login-links.service.js';
import { OperatorSettingEntity } from './accounts/operator-setting.entity.js';
import { OperatorSettingsRepository } from './accounts/operator-settings.repository.js';
import { PasswordLoginService } from './passwords/password-login.service.js';
import { AdmissionsService } from './oidc/admissions.service.js';
import { IdentitiesController } from './oidc/identities/identities.controller.js';
import { IdentitiesService } from './oidc/identities/identities.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcService } from './oidc/oidc.service.js';
import { OpenIdProvider } from './oidc/openid-provider.js';
import { SignInCookie } from './oidc/sign-in-cookie.js';
import { UserIdentitiesRepository } from './oidc/identities/user-identities.repository.js';
import { UserIdentityEntity } from './oidc/identities/user-identity.entity.js';
import { OperatorRepository } from './operator/operator.repository.js';
import { OperatorService } from './operator/operator.service.js';
import { BearerGuard } from './access/bearer.guard.js';
import { JwtStrategy, signingOptions } from './access/jwt.strategy.js';
import { LoginRefusalsService } from './accounts/guessing/login-refusals.service.js';
import { AccountMailsService } from './accounts/mails/account-mails.service.js';
import { UserAuditService } from './accounts/user-audit.service.js';
import { LoginAttempts } from './accounts/guessing/login-attempts.js';
import { PasswordResetEntity } from './passwords/reset/password-reset.entity.js';
import { PasswordResetsRepository } from './passwords/reset/password-resets.repository.js';
import { PasswordResetsService } from './passwords/reset/password-resets.service.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { ResetPageController } from './passwords/reset/reset-page.controller.js';
import { ResetPageFilter } from './passwords/reset/reset-page.filter.js';
import { SecondFactorGuard } from './second-factor/second-factor.guard.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { RecoveryCodeEntity, SecondFactorEntity } from './second-factor/second-factor.entity.js';
import { SecondFactorsRepository } from './second-factor/second-factors.repository.js';
import { SecondFactorsService } from './second-factor/second-factors.service.js';
import { RequestPlace } from './accounts/request-place.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { SessionGuard } from './access/session.guard.js';
import { SessionStrategy } from './access/session.strategy.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { RestrictionsService } from './access-tokens/restrictions.service.js';
import { RestrictionGuard } from './access/restriction.guard.js';
import { CliLoginController } from './cli-login/cli-login.controller.js';
import { CliLoginEntity } from './cli-login/cli-login.entity.js';
import { CliLoginPageController } from './cli-login/cli-login-page.controller.js';
import { CliLoginPagesService } from './cli-login/cli-login-pages.service.js';
import { CliLoginsRepository } from './cli-login/cli-logins.repository.js';
import { CliLoginsService } from './cli-login/cli-logins.service.js';
import { CiController } from './ci/ci.controller.js';
import { CiService } from './ci/ci.service.js';
import { CiTokenVerifier } from './ci/tokens/ci-token-verifier.js';
import { IssuerKeys } from './ci/tokens/issuer-keys.js';
import { ExchangedCiTokenEntity } from './ci/tokens/exchanged-ci-token.entity.js';
import { TrustRuleEntity } from './ci/trust/trust-rule.entity.js';
import { TrustRulesController } from './ci/trust/trust-rules.controller.js';
import { TrustRulesRepository } from './ci/trust/trust-rules.repository.js';
import { TrustRulesService } from './ci/trust/trust-rules.service.js';
import { AccessTokensRepository } from './access-tokens/access-tokens.repository.js';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AddressProofsService } from './accounts/address-proofs.service.js';
import { SessionEntity } from './sessions/session.entity.js';
import { SessionsService } from './sessions/sessions.service.js';
import { TenantsController } from './accounts/tenants.controller.js';
import { MembershipsRepository } from './accounts/memberships.repository.js';
import { InvitationEntity } from './members/invitations/invitation.entity.js';
import { InvitationPageController } from './members/invitations/invitation-page.controller.js';
import { InvitationsController } from './members/invitations/invitations.controller.js';
import { InvitationsRepository } from './members/invitations/invitations.repository.js';
import { InvitationsService } from './members/invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { MembershipEntity } from './accounts/membership.entity.js';
import { TenantEntity } from './accounts/tenant.entity.js';
import { UserEntity } from './accounts/user.entity.js';

/** Tenants, users, members, sessions and access tokens; provides the global access guard. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      TenantEntity,
      UserEntity,
      MembershipEntity,
      SessionEntity,
      AccessTokenEntity,
      PasswordResetEntity,
      InvitationEntity,
      SecondFactorEntity,
      RecoveryCodeEntity,
      TrustRuleEntity,
      ExchangedCiTokenEntity,
      UserIdentityEntity,
      LoginLinkEntity,
      CliLoginEntity,
      OperatorSettingEntity,
    ]),
    MailModule,
    JwtModule.registerAsync({
      inject: [Config],
      useFactory: signingOptions,
    }),
  ],
  controllers: [
    AuthController,
    OidcController,
    IdentitiesController,
    LoginLinkController,
    CliLoginController,
    CliLoginPageController,
    CiController,
    SessionsController,
    PasswordsController,
    ResetPageController,
    TenantsController,
    MembersController,
    InvitationsController,
    SecondFactorController,
    InvitationPageController,
    AccessTokensController,
    TrustRulesController,
  ],
  providers: [
    AccountsService,
    AccountsRepository,
    AddressProofsService,
    MembershipsRepository,
    MembersService,
    InvitationsService,
    InvitationsRepository,
    LoginAttempts,
    LoginRefusalsService,
    UserAuditService,
    AccountMailsService,
    AuthService,
    OperatorSettingsRepository,
    PasswordLoginService,
    LoginLinksService,
    LoginLinksRepository,
    CliLoginsService,
    CliLoginsRepository,
    CliLoginPagesService,
    OpenIdProvider,
    OidcService,
    AdmissionsService,
    IdentitiesService,
    UserIdentitiesRepository,
    SignInCookie,
    OperatorService,
    OperatorRepository,
    SessionsService,
    SessionsRepository,
    PasswordsService,
    PasswordResetsService,
    PasswordResetsRepository,
    ResetPageFilter,
    SecondFactorGuard,
    SecondFactorsService,
    SecondFactorsRepository,
    RequestPlace,
    SessionCookie,
    AccessTokensService,
    AccessTokensRepository,
    RestrictionsService,
    RestrictionGuard,
    TrustRulesService,
    TrustRulesRepository,
    IssuerKeys,
    CiTokenVerifier,
    CiService,
    JwtStrategy,
    BearerGuard,
    SessionStrategy,
    SessionGuard,
    AccessGuard,
  ],
  exports: [
    AccountsService,
    PasswordsService,
    AccessTokensService,
    RestrictionsService,
    AccessGuard,
    SecondFactorGuard,
    RestrictionGuard,
  ],
})
export class IdentityModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(pageHeaders)
      .forRoutes(
        OidcController,
        LoginLinkController,
        ResetPageController,
        InvitationPageController,
        CliLoginPageController,
      );
  }
}

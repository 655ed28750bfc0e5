import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { MailModule } from '../mail/index.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { AddressProofsService } from './address-proofs.service.js';
import { MembershipEntity } from './membership.entity.js';
import { MembershipsRepository } from './memberships.repository.js';
import { OperatorSettingEntity } from './operator-setting.entity.js';
import { OperatorSettingsRepository } from './operator-settings.repository.js';
import { RequestPlace } from './request-place.js';
import { TenantEntity } from './tenant.entity.js';
import { TenantsController } from './tenants.controller.js';
import { UserAuditService } from './user-audit.service.js';
import { UserEntity } from './user.entity.js';
import { LoginAttempts } from './guessing/login-attempts.js';
import { LoginRefusalsService } from './guessing/login-refusals.service.js';
import { AccountMailsService } from './mails/account-mails.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { PasswordLoginService } from './passwords/password-login.service.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { SessionEntity } from './sessions/session.entity.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { InvitationPageController } from './invitations/invitation-page.controller.js';
import { InvitationEntity } from './invitations/invitation.entity.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { PasswordResetEntity } from './passwords/reset/password-reset.entity.js';
import { PasswordResetsRepository } from './passwords/reset/password-resets.repository.js';
import { PasswordResetsService } from './passwords/reset/password-resets.service.js';
import { ResetPageController } from './passwords/reset/reset-page.controller.js';
import { ResetPageFilter } from './passwords/reset/reset-page.filter.js';

/** Tenants, users and members, their passwords and their sessions. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      TenantEntity,
      UserEntity,
      MembershipEntity,
      SessionEntity,
      PasswordResetEntity,
      InvitationEntity,
      OperatorSettingEntity,
    ]),
    MailModule,
  ],
  controllers: [
    SessionsController,
    PasswordsController,
    ResetPageController,
    TenantsController,
    MembersController,
    InvitationsController,
    InvitationPageController,
  ],
  providers: [
    AccountsService,
    AccountsRepository,
    AddressProofsService,
    OperatorSettingsRepository,
    MembershipsRepository,
    MembersService,
    InvitationsService,
    InvitationsRepository,
    LoginAttempts,
    LoginRefusalsService,
    UserAuditService,
    AccountMailsService,
    RequestPlace,
    SessionsService,
    SessionsRepository,
    SessionCookie,
    PasswordsService,
    PasswordLoginService,
    PasswordResetsService,
    PasswordResetsRepository,
    ResetPageFilter,
  ],
  exports: [
    AccountsService,
    AccountsRepository,
    AddressProofsService,
    MembershipsRepository,
    MembersService,
    InvitationsService,
    LoginRefusalsService,
    UserAuditService,
    SessionsService,
    SessionsRepository,
    SessionCookie,
    PasswordsService,
    PasswordLoginService,
  ],
})
export class AccountsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(ResetPageController, InvitationPageController);
  }
}

import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { AccessModule } from '../access/index.js';
import { AccountsModule } from '../accounts/index.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { LoginLinkController } from './login-link.controller.js';
import { LoginLinkEntity } from './login-link.entity.js';
import { LoginLinksRepository } from './login-links.repository.js';
import { LoginLinksService } from './login-links.service.js';
import { CliLoginPageController } from './cli-login/cli-login-page.controller.js';
import { CliLoginPagesService } from './cli-login/cli-login-pages.service.js';
import { CliLoginController } from './cli-login/cli-login.controller.js';
import { CliLoginEntity } from './cli-login/cli-login.entity.js';
import { CliLoginsRepository } from './cli-login/cli-logins.repository.js';
import { CliLoginsService } from './cli-login/cli-logins.service.js';
import { AdmissionsService } from './oidc/admissions.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcService } from './oidc/oidc.service.js';
import { OpenIdProvider } from './oidc/openid-provider.js';
import { SignInCookie } from './oidc/sign-in-cookie.js';
import { SecondFactorModule } from './second-factor/second-factor.module.js';
import { IdentitiesController } from './oidc/identities/identities.controller.js';
import { IdentitiesService } from './oidc/identities/identities.service.js';
import { UserIdentitiesRepository } from './oidc/identities/user-identities.repository.js';
import { UserIdentityEntity } from './oidc/identities/user-identity.entity.js';

/** Log-in by password, by link, through an OpenID provider, and of the command line client. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserIdentityEntity, LoginLinkEntity, CliLoginEntity]),
    AccountsModule,
    AccessModule,
    SecondFactorModule,
  ],
  controllers: [
    AuthController,
    OidcController,
    IdentitiesController,
    LoginLinkController,
    CliLoginController,
    CliLoginPageController,
  ],
  providers: [
    AuthService,
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
  ],
  exports: [AuthService, LoginLinksService],
})
export class SignInModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(OidcController, LoginLinkController, CliLoginPageController);
  }
}

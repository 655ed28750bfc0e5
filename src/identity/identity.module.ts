import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../common/config/index.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { AccessTokensController } from './access-tokens.controller.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AccountsService } from './accounts.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { BearerGuard } from './bearer.guard.js';
import { JwtStrategy, signingOptions } from './jwt.strategy.js';
import { LoginAttempts } from './login-attempts.js';
import { SessionCookie } from './session-cookie.js';
import { SessionGuard } from './session.guard.js';
import { SessionStrategy } from './session.strategy.js';
import { SessionsRepository } from './sessions.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { AccountsRepository } from './accounts.repository.js';
import { SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

/** Tenants, users, sessions and access tokens; provides the global access guard. */
@Module({
  imports: [
    TypeOrmModule.forFeature([TenantEntity, UserEntity, SessionEntity, AccessTokenEntity]),
    JwtModule.registerAsync({
      inject: [Config],
      useFactory: signingOptions,
    }),
  ],
  controllers: [AuthController, AccessTokensController],
  providers: [
    AccountsService,
    AccountsRepository,
    LoginAttempts,
    AuthService,
    SessionsService,
    SessionsRepository,
    SessionCookie,
    AccessTokensService,
    AccessTokensRepository,
    JwtStrategy,
    BearerGuard,
    SessionStrategy,
    SessionGuard,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccountsService],
})
export class IdentityModule {}

import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../common/config/index.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { AccessTokensController } from './access-tokens.controller.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AccountsService } from './accounts.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { BearerGuard, BearerStrategy, JWT_ALGORITHM, JWT_AUDIENCE, JWT_ISSUER } from './bearer.strategy.js';
import { SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TenantEntity, UserEntity, SessionEntity, AccessTokenEntity]),
    PassportModule,
    JwtModule.registerAsync({
      inject: [Config],
      useFactory: ({ tokenSecret }: Config) => ({
        secret: tokenSecret,
        signOptions: { algorithm: JWT_ALGORITHM, issuer: JWT_ISSUER, audience: JWT_AUDIENCE },
      }),
    }),
  ],
  controllers: [AuthController, AccessTokensController],
  providers: [
    AccountsService,
    AuthService,
    SessionsService,
    AccessTokensService,
    BearerStrategy,
    BearerGuard,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccountsService],
})
export class IdentityModule {}

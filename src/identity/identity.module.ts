import { createSecretKey } from 'node:crypto';
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
import { LoginTries } from './login-tries.js';
import { SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

const ALGORITHM = 'HS256';
const ISSUER = 'pierhead';
const AUDIENCE = 'pierhead-api';

@Module({
  imports: [
    TypeOrmModule.forFeature([TenantEntity, UserEntity, SessionEntity, AccessTokenEntity]),
    JwtModule.registerAsync({
      inject: [Config],
      useFactory: ({ tokenSecret }: Config) => ({
        // Given as text, jsonwebtoken tries first whether it is a public key, which takes ten times as long as all the rest.
        secret: createSecretKey(tokenSecret, 'utf8'),
        signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE },
        // The row decides about expiry, by the clock that is injected.
        verifyOptions: { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, ignoreExpiration: true },
      }),
    }),
  ],
  controllers: [AuthController, AccessTokensController],
  providers: [
    AccountsService,
    LoginTries,
    AuthService,
    SessionsService,
    AccessTokensService,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccountsService],
})
export class IdentityModule {}

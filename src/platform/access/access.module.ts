import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../../common/config/index.js';
import { AccountsModule } from '../accounts/index.js';
import { AccessTokenEntity } from './access-tokens/access-token.entity.js';
import { AccessTokensController } from './access-tokens/access-tokens.controller.js';
import { AccessTokensRepository } from './access-tokens/access-tokens.repository.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { RestrictionsService } from './access-tokens/restrictions.service.js';
import { AccessGuard } from './guards/access.guard.js';
import { BearerGuard } from './guards/bearer.guard.js';
import { JwtStrategy, signingOptions } from './guards/jwt.strategy.js';
import { RestrictionGuard } from './guards/restriction.guard.js';
import { SessionGuard } from './guards/session.guard.js';
import { SessionStrategy } from './guards/session.strategy.js';
import { ExchangedCiTokenEntity } from './ci-tokens/exchanged-ci-token.entity.js';
import { TrustRuleEntity } from './trust-rule.entity.js';
import { TrustRulesController } from './ci-trust/trust-rules.controller.js';
import { TrustRulesRepository } from './ci-trust/trust-rules.repository.js';
import { TrustRulesService } from './ci-trust/trust-rules.service.js';

/** Access tokens and the trust rules of CI services; provides the global guards. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccessTokenEntity, TrustRuleEntity, ExchangedCiTokenEntity]),
    AccountsModule,
    JwtModule.registerAsync({ inject: [Config], useFactory: signingOptions }),
  ],
  controllers: [AccessTokensController, TrustRulesController],
  providers: [
    AccessTokensService,
    AccessTokensRepository,
    RestrictionsService,
    TrustRulesService,
    TrustRulesRepository,
    JwtStrategy,
    BearerGuard,
    SessionStrategy,
    SessionGuard,
    AccessGuard,
    RestrictionGuard,
  ],
  exports: [AccessTokensService, TrustRulesRepository, AccessGuard, RestrictionGuard],
})
export class AccessModule {}

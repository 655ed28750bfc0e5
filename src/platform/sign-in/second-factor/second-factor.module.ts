import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../accounts/index.js';
import { SecondFactorController } from './second-factor.controller.js';
import { RecoveryCodeEntity, SecondFactorEntity } from './second-factor.entity.js';
import { SecondFactorGuard } from './second-factor.guard.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { SecondFactorsService } from './second-factors.service.js';

/** Authenticator apps; provides the global guard that asks for them. */
@Module({
  imports: [TypeOrmModule.forFeature([SecondFactorEntity, RecoveryCodeEntity]), AccountsModule],
  controllers: [SecondFactorController],
  providers: [SecondFactorsService, SecondFactorsRepository, SecondFactorGuard],
  exports: [SecondFactorsService, SecondFactorsRepository, SecondFactorGuard],
})
export class SecondFactorModule {}

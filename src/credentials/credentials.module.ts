import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsModule } from '../payments/index.js';
import { StoresModule } from '../stores/index.js';
import { CredentialEntity } from './credential.entity.js';
import { CredentialMetrics } from './credential-metrics.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';
import { CredentialProviders } from './credential-providers.js';

/** Credentials of stores and payment processors. */
@Module({
  imports: [TypeOrmModule.forFeature([CredentialEntity]), StoresModule, PaymentsModule],
  controllers: [CredentialsController],
  providers: [CredentialsService, CredentialsRepository, CredentialProviders, CredentialMetrics],
  exports: [CredentialsService],
})
export class CredentialsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BrandingModule } from '../branding/index.js';
import { LicensingModule } from '../licensing.module.js';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { ClaimController } from './claim.controller.js';
import { CodeClaimEntity } from './code-claim.entity.js';
import { CodeClaimsRepository } from './code-claims.repository.js';
import { CodeClaimsService } from './code-claims.service.js';
import { CodeMailsService } from './code-mails.service.js';
import { EndNoticesService } from './end-notices.service.js';
import { ResendController } from './resend.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([CodeClaimEntity]), RegistryModule, LicensingModule, BrandingModule, MailModule],
  controllers: [ResendController, ClaimController],
  providers: [CodeMailsService, EndNoticesService, CodeClaimsService, CodeClaimsRepository],
  exports: [CodeMailsService, CodeClaimsService],
})
export class DeliveryModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../platform/accounts/index.js';
import { BrandingController } from './branding.controller.js';
import { BrandingEntity } from './branding.entity.js';
import { BrandingRepository } from './branding.repository.js';
import { BrandingService } from './branding.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BrandingEntity]), AccountsModule],
  controllers: [BrandingController],
  providers: [BrandingService, BrandingRepository],
  exports: [BrandingService],
})
export class BrandingModule {}

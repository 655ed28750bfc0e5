import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenantExtensions } from '../platform/access/index.js';
import { ExtensionEntity } from './extension.entity.js';
import { ExtensionsRepository } from './extensions.repository.js';

/** Provides what access tokens ask about extensions. Global, because `access` cannot import a module above it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ExtensionEntity])],
  providers: [ExtensionsRepository, { provide: TenantExtensions, useExisting: ExtensionsRepository }],
  exports: [ExtensionsRepository, TenantExtensions],
})
export class TenantExtensionsModule {}

import { Module } from '@nestjs/common';
import { ClientPackageController } from './client-package.controller.js';
import { ClientPackage } from './client-package.js';
import { ProjectSchemaController } from './project-schema.controller.js';

/** Files for tools: the command line client and the schema of its project file. */
@Module({
  controllers: [ClientPackageController, ProjectSchemaController],
  providers: [ClientPackage],
})
export class DocumentsModule {}

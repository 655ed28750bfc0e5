import { Module } from '@nestjs/common';
import { ClientPackagesController } from './client-packages.controller.js';
import { ClientPackages } from './client-packages.service.js';
import { ProjectSchemaController } from './project-schema.controller.js';

/** Files for tools: the clients and the schema of the command line's project file. */
@Module({
  controllers: [ClientPackagesController, ProjectSchemaController],
  providers: [ClientPackages],
})
export class DocumentsModule {}

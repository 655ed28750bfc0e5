import { Module } from '@nestjs/common';
import { SignInModule } from '../../platform/sign-in/index.js';
import { RegistryModule } from '../../registry/index.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';
import { ConsolePages } from './console-pages.js';
import { ConsoleStartController } from './console-start.controller.js';
import { ConsoleStartService } from './console-start.service.js';

/** Serves the web console that `console/` is built into, and answers its first call. */
@Module({
  imports: [SignInModule, RegistryModule],
  controllers: [ConsoleController, ConsoleStartController],
  providers: [ConsoleFiles, ConsolePages, ConsoleStartService],
})
export class ConsoleModule {}

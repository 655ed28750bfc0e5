import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';
import { ConsolePages } from './console-pages.js';

/** Serves the web console that `console/` is built into. */
@Module({ controllers: [ConsoleController], providers: [ConsoleFiles, ConsolePages] })
export class ConsoleModule {}

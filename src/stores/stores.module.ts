import { Module } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { makeStores } from './adapters.js';
import { AddonsLinter } from './firefox/addons-linter.js';
import { StoresController } from './stores.controller.js';
import { Stores } from './stores.js';

@Module({
  controllers: [StoresController],
  providers: [AddonsLinter, { provide: Stores, inject: [Config, Clock], useFactory: makeStores }],
  exports: [AddonsLinter, Stores],
})
export class StoresModule {}

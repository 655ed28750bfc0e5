// Nest and Express as they come: a body that ValidationPipe holds against a class-validator DTO, and a constant answer. Started by
// bench/bench.mjs. Decorators are called by hand, so that nothing needs to be built.
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString, MaxLength } from 'class-validator';

class CheckDto {}
for (const field of ['code', 'extensionId', 'fingerprint'])
  Reflect.decorate([IsString(), MaxLength(200)], CheckDto.prototype, field, undefined);

class CheckController {
  check() {
    return { isActive: true, tier: 'pro' };
  }
}
const { prototype } = CheckController;
Body()(prototype, 'check', 0);
Reflect.defineMetadata('design:paramtypes', [CheckDto], prototype, 'check');
Reflect.decorate([Post(), HttpCode(200)], prototype, 'check', Object.getOwnPropertyDescriptor(prototype, 'check'));
Controller('check')(CheckController);

class AppModule {}
Module({ controllers: [CheckController] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(0, '127.0.0.1');
// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.send(app.getHttpServer().address().port);

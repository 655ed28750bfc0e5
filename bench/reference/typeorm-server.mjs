// A check as it is usually written: Nest and Express as they come, ValidationPipe, and TypeORM's repositories that find the license, find
// the seat and update it. Signs nothing. Started by bench/bench.mjs. Its arguments: the database's URL and the code's key.
// Decorators are called by hand and tables described by schemas, so that nothing needs to be built.
import 'reflect-metadata';
import { createHash, createHmac } from 'node:crypto';
import { Body, Controller, HttpCode, Inject, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IsString, MaxLength } from 'class-validator';
import { EntitySchema } from 'typeorm';

const [url, key] = process.argv.slice(2);
const pepper = Buffer.from(key, 'base64');

const License = new EntitySchema({
  name: 'license',
  columns: {
    id: { type: 'uuid', primary: true },
    extensionId: { type: 'uuid', name: 'extension_id' },
    codeDigest: { type: 'bytea', name: 'code_digest' },
    revokedAt: { type: 'timestamptz', name: 'revoked_at', nullable: true },
    expiresAt: { type: 'timestamptz', name: 'expires_at', nullable: true },
  },
});
const Seat = new EntitySchema({
  name: 'seat',
  columns: {
    id: { type: 'uuid', primary: true },
    licenseId: { type: 'uuid', name: 'license_id' },
    fingerprintDigest: { type: 'bytea', name: 'fingerprint_digest' },
    lastSeenAt: { type: 'timestamptz', name: 'last_seen_at' },
    endedAt: { type: 'timestamptz', name: 'ended_at', nullable: true },
  },
});

class CheckDto {}
for (const field of ['code', 'extensionId', 'fingerprint'])
  Reflect.decorate([IsString(), MaxLength(200)], CheckDto.prototype, field, undefined);

class CheckController {
  constructor(licenses, seats) {
    Object.assign(this, { licenses, seats });
  }

  async check({ code, extensionId, fingerprint }) {
    const codeDigest = createHmac('sha256', pepper).update(code.replaceAll('-', '')).digest();
    const license = await this.licenses.findOneBy({ codeDigest, extensionId });
    if (license === null || license.revokedAt !== null) return { isActive: false };
    if (license.expiresAt !== null && license.expiresAt <= new Date()) return { isActive: false };
    const fingerprintDigest = createHash('sha256').update(`${extensionId}\n${fingerprint}`).digest();
    const seat = await this.seats.findOneBy({ licenseId: license.id, fingerprintDigest });
    if (seat === null || seat.endedAt !== null) return { isActive: false };
    await this.seats.update(seat.id, { lastSeenAt: new Date() });
    return { isActive: true };
  }
}
const { prototype } = CheckController;
Inject(getRepositoryToken(License))(CheckController, undefined, 0);
Inject(getRepositoryToken(Seat))(CheckController, undefined, 1);
Body()(prototype, 'check', 0);
Reflect.defineMetadata('design:paramtypes', [CheckDto], prototype, 'check');
Reflect.decorate([Post(), HttpCode(200)], prototype, 'check', Object.getOwnPropertyDescriptor(prototype, 'check'));
Controller('check')(CheckController);

class AppModule {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url, entities: [License, Seat], installExtensions: false }),
    TypeOrmModule.forFeature([License, Seat]),
  ],
  controllers: [CheckController],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(0, '127.0.0.1');
// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.send(app.getHttpServer().address().port);

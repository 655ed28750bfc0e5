import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailEntity } from './mail.entity.js';
import { Outbox } from './outbox.service.js';
import { Postman } from './postman.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([MailEntity])],
  providers: [Outbox, Postman],
  exports: [Outbox],
})
export class MailModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailEntity } from './mail.entity.js';
import { MailLimits } from './mail-limits.service.js';
import { Outbox } from './outbox.service.js';
import { Postman } from './postman.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([MailEntity])],
  providers: [MailLimits, Outbox, Postman],
  exports: [MailLimits, Outbox],
})
export class MailModule {}

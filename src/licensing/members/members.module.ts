import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { BrandingModule } from '../branding/index.js';
import { LicensingModule } from '../licensing.module.js';
import { LicenseMembersController } from './license-members.controller.js';
import { LicenseMembersRepository } from './license-members.repository.js';
import { LicenseMembersService } from './license-members.service.js';
import { MemberMailsService } from './member-mails.service.js';
import { TeamLinkEntity } from './team-link.entity.js';
import { TeamLinksRepository } from './team-links.repository.js';
import { TeamLinksService } from './team-links.service.js';
import { TeamService } from './team.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TeamLinkEntity]), LicensingModule, RegistryModule, BrandingModule, MailModule],
  controllers: [LicenseMembersController],
  providers: [
    LicenseMembersService,
    LicenseMembersRepository,
    MemberMailsService,
    TeamLinksRepository,
    TeamLinksService,
    TeamService,
  ],
  exports: [LicenseMembersRepository, TeamLinksService, TeamService],
})
export class MembersModule {}

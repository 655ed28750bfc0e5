import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { PageQuery, pageOf, type Page } from '../../common/fields/index.js';
import { IdParam, Idempotent } from '../../common/http/index.js';
import { RateLimited, Throws } from '../../common/problems/index.js';
import { LicenseEntity } from '../licenses/index.js';
import { LicenseNotFound, LicenseRevoked } from '../licensing.problems.js';
import { LicenseMembersService } from './license-members.service.js';
import { InviteMember, LicenseMember, TeamLink } from './members.dto.js';
import { MemberNotFound, NotATeam, TeamFull } from './members.problems.js';

/** The people on a license besides its buyer, for the tenant. */
@ApiTags('licenses')
@Controller('licenses/:id/members')
export class LicenseMembersController {
  constructor(private readonly members: LicenseMembersService) {}

  @ApiOperation({ summary: 'Lists the members of a license, newest first.' })
  @Get()
  @Bearer('licenses:read', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound)
  @ApiOkResponse({ type: pageOf(LicenseMember) })
  list(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<LicenseMember>> {
    return this.members.list(caller.tenantId, id, query);
  }

  @ApiOperation({
    summary:
      'Invites a person to a license, and mails them a code of their own. Inviting an address again changes nothing.',
  })
  @Post()
  @Idempotent()
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked, NotATeam, TeamFull, RateLimited)
  @ApiCreatedResponse({ type: LicenseMember })
  invite(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() { email }: InviteMember,
  ): Promise<LicenseMember> {
    return this.members.invite(caller.tenantId, id, email);
  }

  @ApiOperation({
    summary: 'Makes a link by which people join a license for seven days, in place of the one before.',
  })
  @Post('link')
  @Idempotent()
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked, NotATeam)
  @ApiCreatedResponse({ type: TeamLink })
  makeLink(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<TeamLink> {
    return this.members.makeLink(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Replaces the code of a member and mails the new one. Devices keep their seats.' })
  @Post(':memberId/resend')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, MemberNotFound, LicenseRevoked, RateLimited)
  @ApiOkResponse({ type: LicenseMember })
  resend(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('memberId') memberId: string,
  ): Promise<LicenseMember> {
    return this.members.resend(caller.tenantId, id, memberId);
  }

  @ApiOperation({
    summary: 'Removes a member from a license. Their devices lose their seats, and their code works no more.',
  })
  @Delete(':memberId')
  @HttpCode(204)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(MemberNotFound)
  @ApiNoContentResponse()
  remove(@CurrentCaller() caller: Caller, @IdParam() id: string, @IdParam('memberId') memberId: string): Promise<void> {
    return this.members.remove(caller.tenantId, id, memberId);
  }
}

import { Body, Controller, Delete, Get, HttpCode, Ip, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CurrentCaller,
  CurrentSession,
  LimitedPerAddress,
  Public,
  Session,
  SessionOrBearer,
  type Caller,
  type SessionCaller,
} from '../../../common/access/index.js';
import { IdParam, Idempotent } from '../../../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../../../common/fields/index.js';
import { RateLimited, Throws } from '../../../common/problems/index.js';
import { TenantOfUser } from '../accounts.dto.js';
import { EmailTaken, InvalidCredentials } from '../accounts.problems.js';
import { NeedsPasswordLogin } from '../passwords/index.js';
import { OwnerRequired } from '../members/index.js';
import {
  AcceptInvitation,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationOffer,
  InvitationToken,
} from './invitations.dto.js';
import {
  AlreadyMember,
  InvitationExpired,
  InvitationForAnother,
  InvitationNotFound,
  MemberLimitReached,
} from './invitations.problems.js';
import { InvitationsService } from './invitations.service.js';

/** Invitations to the caller's tenant, and their acceptance. */
@ApiTags('members')
@Controller('invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @ApiOperation({
    summary:
      'Invites a person to the tenant, and mails the link where the service sends mail. No other answer contains the link. An earlier invitation of the address no longer works.',
  })
  @Post()
  @Idempotent()
  @Session('members:write', { secondFactor: true })
  @Throws(OwnerRequired, AlreadyMember, MemberLimitReached, RateLimited)
  @ApiCreatedResponse({ type: CreatedInvitation })
  create(@CurrentSession() caller: SessionCaller, @Body() input: CreateInvitation): Promise<CreatedInvitation> {
    return this.invitations.create(caller, input);
  }

  @ApiOperation({ summary: "Lists the tenant's open invitations, newest first." })
  @Get()
  @SessionOrBearer('members:read')
  @ApiOkResponse({ type: pageOf(Invitation) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<Invitation>> {
    return this.invitations.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Revokes an invitation. Its link no longer works.' })
  @Delete(':id')
  @HttpCode(204)
  @Session('members:write', { secondFactor: true })
  @Throws(InvitationNotFound, OwnerRequired)
  @ApiNoContentResponse()
  revoke(@CurrentSession() caller: SessionCaller, @IdParam() id: string): Promise<void> {
    return this.invitations.revoke(caller, id);
  }

  @ApiOperation({ summary: 'Shows what an invitation offers. Does not use it up.' })
  @Post('show')
  @HttpCode(200)
  @Public("requires the secret of an invitation's link")
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(InvitationExpired)
  @ApiOkResponse({ type: InvitationOffer })
  show(@Body() { token }: InvitationToken): Promise<InvitationOffer> {
    return this.invitations.show(token);
  }

  @ApiOperation({
    summary:
      'Accepts an invitation with a password: the current one if the invited address has an account, otherwise one for the new account. Then log in.',
  })
  @Post('accept')
  @HttpCode(200)
  @Public("requires the secret of an invitation's link, and a password")
  @NeedsPasswordLogin()
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(InvitationExpired, InvalidCredentials, RateLimited, AlreadyMember, EmailTaken)
  @ApiOkResponse({ type: TenantOfUser })
  accept(@Body() input: AcceptInvitation, @Ip() address: string): Promise<TenantOfUser> {
    return this.invitations.accept(input, address);
  }

  @ApiOperation({ summary: 'Accepts an invitation as the user who is logged in. The session stays at its tenant.' })
  @Post('join')
  @HttpCode(200)
  @Session('account')
  @Throws(InvitationExpired, InvitationForAnother, AlreadyMember)
  @ApiOkResponse({ type: TenantOfUser })
  join(@CurrentSession() caller: SessionCaller, @Body() { token }: InvitationToken): Promise<TenantOfUser> {
    return this.invitations.acceptAs(caller, token);
  }
}

import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CurrentCaller,
  CurrentSession,
  Session,
  SessionOrBearer,
  type Caller,
  type SessionCaller,
} from '../../../common/access/index.js';
import { Conditional, IdParam, IfMatch, SendsEntityTags, type Precondition } from '../../../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../../../common/fields/index.js';
import { NothingToUpdate, Throws } from '../../../common/problems/index.js';
import { Member, UpdateMember } from './members.dto.js';
import { LastOwner, MemberNotFound, OwnerRequired } from './members.problems.js';
import { MembersService } from './members.service.js';

/** Members of the caller's tenant. */
@ApiTags('members')
@SendsEntityTags()
@Controller('members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @ApiOperation({ summary: "Lists the tenant's members, newest first." })
  @Get()
  @SessionOrBearer('members:read')
  @ApiOkResponse({ type: pageOf(Member) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<Member>> {
    return this.members.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: "Changes a member's role, with effect from the member's next request." })
  @Patch(':userId')
  @Conditional()
  @Session('members:write', { secondFactor: true })
  @Throws(MemberNotFound, NothingToUpdate, LastOwner, OwnerRequired)
  @ApiOkResponse({ type: Member })
  update(
    @CurrentSession() caller: SessionCaller,
    @IdParam('userId') userId: string,
    @Body() input: UpdateMember,
    @IfMatch() expected: Precondition,
  ): Promise<Member> {
    return this.members.update(caller, userId, input, expected);
  }

  @ApiOperation({
    summary:
      'Removes a member. Sessions at the tenant and access tokens that the member created are revoked immediately.',
  })
  @Delete(':userId')
  @HttpCode(204)
  @Conditional()
  @Session('members:write', { secondFactor: true })
  @Throws(MemberNotFound, LastOwner, OwnerRequired)
  @ApiNoContentResponse()
  remove(
    @CurrentSession() caller: SessionCaller,
    @IdParam('userId') userId: string,
    @IfMatch() expected: Precondition,
  ): Promise<void> {
    return this.members.remove(caller, userId, expected);
  }

  @ApiOperation({
    summary:
      'Leaves the tenant. Your sessions at it and the access tokens that you created there are revoked immediately.',
  })
  @Post('leave')
  @HttpCode(204)
  @Session('account', { secondFactor: true })
  @Throws(LastOwner)
  @ApiNoContentResponse()
  leave(@CurrentSession() caller: SessionCaller): Promise<void> {
    return this.members.leave(caller);
  }
}

import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Bearer,
  CurrentCaller,
  CurrentSession,
  inPath,
  Session,
  type Caller,
  type SessionCaller,
} from '../../common/access/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { ApprovalEntity } from './approval.entity.js';
import { Approval, ListApprovals, RejectApproval } from './approvals.dto.js';
import { ApprovalDecided, ApprovalNotFound, OwnRelease } from './approvals.problems.js';
import { DecisionsService } from './decisions.service.js';

/** Versions that wait for another person, of extensions that require it. */
@ApiTags('approvals')
@Controller('approvals')
export class ApprovalsController {
  constructor(private readonly decisions: DecisionsService) {}

  @ApiOperation({ summary: 'Lists the versions that wait for an approval, or those that were decided, newest first.' })
  @Get()
  @Bearer('extensions:read', 'filtered')
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(Approval) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListApprovals): Promise<Page<Approval>> {
    return this.decisions.list(caller, query);
  }

  @ApiOperation({ summary: 'Retrieves an approval.' })
  @Get(':id')
  @Bearer('extensions:read', inPath('id', ApprovalEntity))
  @Throws(ApprovalNotFound)
  @ApiOkResponse({ type: Approval })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Approval> {
    return this.decisions.get(caller, id);
  }

  /** Only a person with a session, and another one than who pushed it. Repeating it changes nothing. */
  @ApiOperation({ summary: 'Approves a version, which is then sent to its stores.' })
  @Post(':id/approve')
  @HttpCode(200)
  @Session('artifacts:write')
  @Throws(ApprovalNotFound, OwnRelease, ApprovalDecided)
  @ApiOkResponse({ type: Approval })
  approve(@CurrentSession() caller: SessionCaller, @IdParam() id: string): Promise<Approval> {
    return this.decisions.approve(caller, id);
  }

  /** The version stays pinned and is not sent. Repeating it changes nothing. */
  @ApiOperation({ summary: 'Rejects a version, which is not sent.' })
  @Post(':id/reject')
  @HttpCode(200)
  @Session('artifacts:write')
  @Throws(ApprovalNotFound, OwnRelease, ApprovalDecided)
  @ApiOkResponse({ type: Approval })
  reject(
    @CurrentSession() caller: SessionCaller,
    @IdParam() id: string,
    @Body() { reason }: RejectApproval,
  ): Promise<Approval> {
    return this.decisions.reject(caller, id, reason);
  }
}

import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSession, Session, type SessionCaller } from '../../../common/access/index.js';
import { pageOf, PageQuery, type Page } from '../../../common/fields/index.js';
import { IdParam } from '../../../common/http/index.js';
import { Throws } from '../../../common/problems/index.js';
import { ActiveSession } from './sessions.dto.js';
import { SessionNotFound } from './sessions.problems.js';
import { SessionsService } from './sessions.service.js';

/** The sessions of the user who is logged in. */
@ApiTags('auth')
@Controller('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @ApiOperation({ summary: "Lists the user's sessions in all browsers, newest first." })
  @Get()
  @Session('account')
  @ApiOkResponse({ type: pageOf(ActiveSession) })
  list(@CurrentSession() caller: SessionCaller, @Query() query: PageQuery): Promise<Page<ActiveSession>> {
    return this.sessions.list(caller, query);
  }

  @ApiOperation({ summary: 'Ends all other sessions of the user, and revokes the tokens they were exchanged for.' })
  @Delete()
  @HttpCode(204)
  @Session('account')
  @ApiNoContentResponse()
  endOthers(@CurrentSession() caller: SessionCaller): Promise<void> {
    return this.sessions.endOthersOf(caller);
  }

  @ApiOperation({ summary: 'Ends a session of the user, and revokes the tokens it was exchanged for.' })
  @Delete(':id')
  @HttpCode(204)
  @Session('account')
  @Throws(SessionNotFound)
  @ApiNoContentResponse()
  end(@CurrentSession() { userId }: SessionCaller, @IdParam() id: string): Promise<void> {
    return this.sessions.endOwn(userId, id);
  }
}

import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSession, Session, type SessionCaller } from '../../../../common/access/index.js';
import { pageOf, PageQuery, type Page } from '../../../../common/fields/index.js';
import { IdParam } from '../../../../common/http/index.js';
import { Throws } from '../../../../common/problems/index.js';
import { LinkedIdentity } from './identities.dto.js';
import { IdentityNotFound, OnlyWayIn } from './identities.problems.js';
import { IdentitiesService } from './identities.service.js';

/** The identity provider accounts that are linked to the user who is logged in. */
@ApiTags('auth')
@Controller('auth/oidc/identities')
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  @ApiOperation({ summary: 'Lists the identity provider accounts that are linked to the user, newest first.' })
  @Get()
  @Session('account')
  @ApiOkResponse({ type: pageOf(LinkedIdentity) })
  list(@CurrentSession() caller: SessionCaller, @Query() query: PageQuery): Promise<Page<LinkedIdentity>> {
    return this.identities.list(caller, query);
  }

  @ApiOperation({
    summary: 'Unlinks an identity provider account, and ends all other sessions of the user.',
  })
  @Delete(':id')
  @HttpCode(204)
  @Session('account', { secondFactor: true })
  @Throws(IdentityNotFound, OnlyWayIn)
  @ApiNoContentResponse()
  unlink(@CurrentSession() caller: SessionCaller, @IdParam() id: string): Promise<void> {
    return this.identities.unlink(caller, id);
  }
}

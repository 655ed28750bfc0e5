import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, Session, type Caller } from '../../../common/access/index.js';
import { IdParam, Idempotent } from '../../../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../../../common/fields/index.js';
import { Throws } from '../../../common/problems/index.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AccessToken, CreateAccessToken, CreatedAccessToken } from './access-tokens.dto.js';
import { AccessTokenLimitReached, AccessTokenNotFound } from './access-tokens.problems.js';

/** Access tokens of the caller's tenant. */
@ApiTags('access tokens')
@Controller('access-tokens')
export class AccessTokensController {
  constructor(private readonly tokens: AccessTokensService) {}

  @ApiOperation({ summary: 'Creates an access token. No other answer contains the token.' })
  @Post()
  @Idempotent()
  @Session('tokens:write', { secondFactor: true })
  @Throws(AccessTokenLimitReached)
  @ApiCreatedResponse({ type: CreatedAccessToken })
  create(@CurrentCaller() caller: Caller, @Body() input: CreateAccessToken): Promise<CreatedAccessToken> {
    return this.tokens.create(caller, input);
  }

  @ApiOperation({ summary: "Lists the tenant's access tokens, newest first." })
  @Get()
  @Session('tokens:read')
  @ApiOkResponse({ type: pageOf(AccessToken) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<AccessToken>> {
    return this.tokens.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Revokes an access token immediately.' })
  @Delete(':id')
  @HttpCode(204)
  @Session('tokens:write')
  @Throws(AccessTokenNotFound)
  @ApiNoContentResponse()
  revoke(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<void> {
    return this.tokens.revoke(caller.tenantId, id);
  }
}

import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, Session, type Caller } from '../../../common/access/index.js';
import { pageOf, PageQuery, type Page } from '../../../common/fields/index.js';
import { IdParam, Idempotent } from '../../../common/http/index.js';
import { Throws } from '../../../common/problems/index.js';
import { CreateTrustRule, TrustRule } from './trust-rules.dto.js';
import { TrustRuleLimitReached, TrustRuleNotFound } from './trust-rules.problems.js';
import { TrustRulesService } from './trust-rules.service.js';

/** Trust rules of the caller's tenant. */
@ApiTags('CI')
@Controller('ci/trust-rules')
export class TrustRulesController {
  constructor(private readonly rules: TrustRulesService) {}

  @ApiOperation({ summary: 'Adds a trust rule: runs of a repository get access tokens without a stored secret.' })
  @Post()
  @Idempotent()
  @Session('tokens:write', { secondFactor: true })
  @Throws(TrustRuleLimitReached)
  @ApiCreatedResponse({ type: TrustRule })
  create(@CurrentCaller() caller: Caller, @Body() input: CreateTrustRule): Promise<TrustRule> {
    return this.rules.create(caller, input);
  }

  @ApiOperation({ summary: "Lists the tenant's trust rules, newest first." })
  @Get()
  @Session('tokens:read')
  @ApiOkResponse({ type: pageOf(TrustRule) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<TrustRule>> {
    return this.rules.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Deletes a trust rule and immediately revokes the access tokens that it issued.' })
  @Delete(':id')
  @HttpCode(204)
  @Session('tokens:write', { secondFactor: true })
  @Throws(TrustRuleNotFound)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<void> {
    return this.rules.delete(caller.tenantId, id);
  }
}

import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, HeavyForTenant, inBody, type Caller } from '../../common/access/index.js';
import { EXAMPLE } from '../../common/fields/index.js';
import { AlsoAsCsv, asJsonOrCsv, IdempotencyKey, TakesIdempotencyKey } from '../../common/http/index.js';
import { InvalidRequest, RateLimited, Throws } from '../../common/problems/index.js';
import { PlanNotFound } from '../licensing.problems.js';
import { LicensePlanEntity } from '../plans/index.js';
import { batchRows } from './batch-rows.js';
import { IssueBatch, LicenseBatch } from './batches.dto.js';
import { BatchAlreadyIssued, IdempotencyKeyReused } from './batches.problems.js';
import { LicenseBatchesService } from './license-batches.service.js';

/** Issues many licenses, for the tenant. */
@ApiTags('licenses')
@ApiExtraModels(LicenseBatch)
@Controller('licenses')
export class BatchesController {
  constructor(private readonly batches: LicenseBatchesService) {}

  @ApiOperation({
    summary:
      'Issues up to 5,000 licenses, all or none, and returns their codes or gift links, or mails the codes. Send Idempotency-Key, so that a repeated request gets the same codes.',
  })
  @Post('batch')
  @TakesIdempotencyKey()
  @Bearer('licenses:write', inBody('planId', LicensePlanEntity))
  @HeavyForTenant()
  @Throws(PlanNotFound, InvalidRequest, RateLimited, IdempotencyKeyReused, BatchAlreadyIssued)
  @AlsoAsCsv(batchRows)
  @ApiBody({
    type: IssueBatch,
    examples: { one: { value: { planId: EXAMPLE.id, count: 500, campaign: 'spring', delivery: 'code' } } },
  })
  @ApiCreatedResponse(asJsonOrCsv(LicenseBatch))
  issue(
    @CurrentCaller() caller: Caller,
    @Body() input: IssueBatch,
    @IdempotencyKey() key: string | null,
  ): Promise<LicenseBatch> {
    return this.batches.issue(caller.tenantId, input, key);
  }
}

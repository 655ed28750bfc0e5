import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { TargetNotFound } from '../../targets/index.js';
import { RejectionReason } from '../releases/index.js';
import { RecordRejection } from './rejections.dto.js';
import { VersionNotRejected } from './rejections.problems.js';
import { RejectionsService } from './rejections.service.js';

/** Why stores rejected versions. */
@ApiTags('targets')
@Controller('extensions/:id/targets/:targetId/rejection')
export class RejectionsController {
  constructor(private readonly rejections: RejectionsService) {}

  /** Shown with the release; the timeline keeps each text. Repeating it changes nothing. */
  @ApiOperation({ summary: "Records what a store's mail or dashboard says about a rejected version." })
  @Post()
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound, VersionNotRejected)
  @ApiOkResponse({ type: RejectionReason })
  record(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
    @Body() input: RecordRejection,
  ): Promise<RejectionReason> {
    return this.rejections.record(caller.tenantId, id, targetId, input);
  }
}

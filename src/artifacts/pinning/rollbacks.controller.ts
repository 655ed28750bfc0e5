import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam, Idempotent } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { SeveralTargets, TargetNotFound } from '../../targets/index.js';
import { Artifact } from '../artifacts.dto.js';
import {
  RollbackNotOlder,
  RollbackNotSupported,
  VersionConflict,
  VersionNotAccepted,
  VersionNotNewer,
} from '../artifacts.problems.js';
import { RollBack } from './rollbacks.dto.js';
import { RollbacksService } from './rollbacks.service.js';

/** Rollbacks of a target to an older version. */
@ApiTags('targets')
@Controller('extensions/:id/targets/:targetId/rollback')
export class RollbacksController {
  constructor(private readonly rollbacks: RollbacksService) {}

  @ApiOperation({
    summary: 'Rolls a target back: the store publishes an older version again, under a new and higher number.',
  })
  @Post()
  @Idempotent()
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound, RollbackNotSupported, RollbackNotOlder)
  @Throws(VersionNotAccepted, VersionNotNewer, VersionConflict, SeveralTargets)
  @ApiCreatedResponse({ type: Artifact, description: 'Pinned.' })
  rollBack(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
    @Body() input: RollBack,
  ): Promise<Artifact> {
    return this.rollbacks.rollBack(caller.tenantId, id, targetId, input);
  }
}

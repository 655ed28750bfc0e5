import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ArtifactEntity } from '../artifact.entity.js';
import { ArtifactNotFound } from '../artifacts.problems.js';
import { FindingList, PushedFinding } from './findings.dto.js';
import { FindingHoldsNothing, FindingNotFound } from './findings.problems.js';
import { FindingsService } from './findings.service.js';

/** Findings in a package. */
@ApiTags('artifacts')
@Controller('artifacts/:id/findings')
export class FindingsController {
  constructor(private readonly findings: FindingsService) {}

  /** Found when the package was pushed, for all stores. */
  @ApiOperation({ summary: 'Lists what stores do not accept in the package of an artifact.' })
  @Get()
  @Bearer('extensions:read', inPath('id', ArtifactEntity))
  @Throws(ArtifactNotFound)
  @ApiOkResponse({ type: FindingList })
  list(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<FindingList> {
    return this.findings.list(caller.tenantId, id);
  }

  /** The targets that waited because of this finding alone become due. Repeating it changes nothing. */
  @ApiOperation({ summary: 'Sends a version despite one finding.' })
  @Post(':findingId/override')
  @HttpCode(200)
  @Bearer('artifacts:write', inPath('id', ArtifactEntity))
  @ApiParam({
    name: 'findingId',
    description: 'Id of the finding.',
    schema: { type: 'string', example: 'edge-has_key-1f0a77c2' },
  })
  @Throws(ArtifactNotFound, FindingNotFound, FindingHoldsNothing)
  @ApiOkResponse({ type: PushedFinding })
  override(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Param('findingId') findingId: string,
  ): Promise<PushedFinding> {
    return this.findings.override(caller.tenantId, id, findingId);
  }
}

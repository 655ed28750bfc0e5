import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { TargetNotFound } from '../../targets/index.js';
import { ArtifactEntity } from '../artifact.entity.js';
import { ArtifactNotFound, PackageTooCostly } from '../artifacts.problems.js';
import { ArtifactChanges, ChangesQuery } from './comparison.dto.js';
import { ComparisonService } from './comparison.service.js';

/** Changes between versions. */
@ApiTags('artifacts')
@Controller('artifacts/:id/changes')
export class ComparisonController {
  constructor(private readonly comparison: ComparisonService) {}

  @ApiOperation({ summary: 'Shows what changed in the package of an artifact since an earlier version.' })
  @Get()
  @Bearer('extensions:read', inPath('id', ArtifactEntity))
  @Throws(ArtifactNotFound, TargetNotFound, PackageTooCostly)
  @ApiOkResponse({ type: ArtifactChanges })
  compare(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() query: ChangesQuery,
  ): Promise<ArtifactChanges> {
    return this.comparison.compare(caller.tenantId, id, query);
  }
}

import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../common/access/index.js';
import { IdParam } from '../common/http/index.js';
import { NothingToUpdate, Throws } from '../common/problems/index.js';
import { CredentialNotFound } from '../credentials/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { Target, TargetList, UpdateTarget } from './targets.dto.js';
import { TargetNotFound } from './targets.problems.js';
import { TargetsService } from './targets.service.js';

@ApiTags('targets')
@Controller('extensions/:id/targets')
export class TargetsController {
  constructor(private readonly targets: TargetsService) {}

  @ApiOperation({ summary: 'The publish targets of an extension: one per store from the start.' })
  @Get()
  @Bearer('extensions:read')
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: TargetList })
  list(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<TargetList> {
    return this.targets.list(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Shows one target.' })
  @Get(':targetId')
  @Bearer('extensions:read')
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiOkResponse({ type: Target })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string, @IdParam('targetId') targetId: string): Promise<Target> {
    return this.targets.get(caller.tenantId, id, targetId);
  }

  @ApiOperation({ summary: 'Says where and how to publish. The store is looked at at once.' })
  @Patch(':targetId')
  @Bearer('extensions:write')
  @Throws(ExtensionNotFound, TargetNotFound, CredentialNotFound, NothingToUpdate)
  @ApiOkResponse({ type: Target })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
    @Body() input: UpdateTarget,
  ): Promise<Target> {
    return this.targets.update(caller.tenantId, id, targetId, input);
  }
}

import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../common/access/index.js';
import { IdParam } from '../common/http/index.js';
import { NothingToUpdate, Throws } from '../common/problems/index.js';
import { CredentialNotFound } from '../credentials/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { CreateTarget, Target, TargetList, UpdateTarget } from './targets.dto.js';
import {
  DuplicateTarget,
  ItemEnabledTwice,
  NothingToRelease,
  TargetLimitReached,
  TargetNotFound,
} from './targets.problems.js';
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
  @Throws(ExtensionNotFound, TargetNotFound, CredentialNotFound, DuplicateTarget, ItemEnabledTwice, NothingToUpdate)
  @ApiOkResponse({ type: Target })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
    @Body() input: UpdateTarget,
  ): Promise<Target> {
    return this.targets.update(caller.tenantId, id, targetId, input);
  }

  @ApiOperation({
    summary:
      'Adds a further target, such as the unlisted channel of a store. One target of an item is enabled at a time.',
  })
  @Post()
  @Bearer('extensions:write')
  @Throws(ExtensionNotFound, CredentialNotFound, DuplicateTarget, ItemEnabledTwice, TargetLimitReached)
  @ApiCreatedResponse({ type: Target })
  create(@CurrentCaller() caller: Caller, @IdParam() id: string, @Body() input: CreateTarget): Promise<Target> {
    return this.targets.create(caller.tenantId, id, input);
  }

  @ApiOperation({ summary: 'Deletes a target with its releases. The store keeps what it has.' })
  @Delete(':targetId')
  @HttpCode(204)
  @Bearer('extensions:write')
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IdParam('targetId') targetId: string): Promise<void> {
    return this.targets.delete(caller.tenantId, id, targetId);
  }

  @ApiOperation({
    summary:
      'Releases the approved version of a target whose release is manual, or that Pierhead does not know as its own. For one submission. Idempotent.',
  })
  @Post(':targetId/release')
  @HttpCode(200)
  @Bearer('extensions:write')
  @Throws(ExtensionNotFound, TargetNotFound, NothingToRelease)
  @ApiOkResponse({ type: Target })
  release(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.releaseNow(caller.tenantId, id, targetId);
  }

  @ApiOperation({ summary: 'Pauses a target: its store is still looked at, and nothing is done there. Idempotent.' })
  @Post(':targetId/pause')
  @HttpCode(200)
  @Bearer('extensions:write')
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiOkResponse({ type: Target })
  pause(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.pause(caller.tenantId, id, targetId, true);
  }

  @ApiOperation({ summary: 'Lets a paused target go on. Idempotent.' })
  @Post(':targetId/resume')
  @HttpCode(200)
  @Bearer('extensions:write')
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiOkResponse({ type: Target })
  resume(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.pause(caller.tenantId, id, targetId, false);
  }
}

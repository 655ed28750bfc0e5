import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../common/access/index.js';
import { Conditional, IdParam, IfMatch, SendsEntityTags, type Precondition, Idempotent } from '../common/http/index.js';
import { NothingToUpdate, Throws, TokenRestricted } from '../common/problems/index.js';
import { CredentialNotFound } from '../credentials/index.js';
import { ApprovalSettingRefused, ExtensionNotFound } from '../registry/index.js';
import { CreateTarget, Target, TargetList, UpdateTarget } from './targets.dto.js';
import {
  DuplicateTarget,
  ItemEnabledTwice,
  NothingToRelease,
  NothingToResubmit,
  TargetLimitReached,
  TargetNotFound,
} from './targets.problems.js';
import { TargetsService } from './targets.service.js';

/** Targets of an extension. */
@ApiTags('targets')
@SendsEntityTags()
@Controller('extensions/:id/targets')
export class TargetsController {
  constructor(private readonly targets: TargetsService) {}

  @ApiOperation({ summary: 'Lists the targets of an extension. Each extension starts with one per store.' })
  @Get()
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: TargetList })
  list(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<TargetList> {
    return this.targets.list(caller, id);
  }

  @ApiOperation({ summary: 'Retrieves a target.' })
  @Get(':targetId')
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiOkResponse({ type: Target })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string, @IdParam('targetId') targetId: string): Promise<Target> {
    return this.targets.get(caller, id, targetId);
  }

  @ApiOperation({ summary: 'Updates a target and schedules an immediate check.' })
  @Patch(':targetId')
  @Conditional()
  @Bearer('extensions:write', inPath('id'))
  @Throws(
    ExtensionNotFound,
    TargetNotFound,
    CredentialNotFound,
    DuplicateTarget,
    ItemEnabledTwice,
    NothingToUpdate,
    TokenRestricted,
    ApprovalSettingRefused,
  )
  @ApiBody({
    type: UpdateTarget,
    examples: { rollout: { value: { storeItemId: 'mbfmhplclkbnbppnbjccnfhpgipnabcd', rolloutPercent: 10 } } },
  })
  @ApiOkResponse({ type: Target })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
    @Body() input: UpdateTarget,
    @IfMatch() expected: Precondition,
  ): Promise<Target> {
    return this.targets.update(caller, id, targetId, input, expected);
  }

  @ApiOperation({
    summary:
      'Adds a target, such as the unlisted channel of a store. Only one target of an item can be enabled at a time.',
  })
  @Post()
  @Idempotent()
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, CredentialNotFound, DuplicateTarget, ItemEnabledTwice, TargetLimitReached, TokenRestricted)
  @ApiBody({
    type: CreateTarget,
    examples: {
      unlisted: {
        value: { store: 'firefox', channel: 'unlisted', storeItemId: 'tab-counter@pierhead.example', enabled: false },
      },
    },
  })
  @ApiCreatedResponse({ type: Target })
  create(@CurrentCaller() caller: Caller, @IdParam() id: string, @Body() input: CreateTarget): Promise<Target> {
    return this.targets.create(caller, id, input);
  }

  @ApiOperation({ summary: 'Deletes a target with its releases. The store keeps what it has.' })
  @Delete(':targetId')
  @HttpCode(204)
  @Conditional()
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound, ApprovalSettingRefused)
  @ApiNoContentResponse()
  delete(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
    @IfMatch() expected: Precondition,
  ): Promise<void> {
    return this.targets.delete(caller, id, targetId, expected);
  }

  @ApiOperation({
    summary:
      'Submits the pinned version again, unchanged, after the store rejected it or its review was cancelled, for example once the listing is mended. Firefox Add-ons and Edge Add-ons take no rejected version twice.',
  })
  @Post(':targetId/resubmit')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound, NothingToResubmit)
  @ApiOkResponse({ type: Target })
  resubmit(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.resubmit(caller, id, targetId);
  }

  @ApiOperation({
    summary:
      'Requests the release of the approved version, where the release is manual or Pierhead has no record of submitting the version. Applies to one submission. Idempotent.',
  })
  @Post(':targetId/release')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound, NothingToRelease)
  @ApiOkResponse({ type: Target })
  release(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.requestRelease(caller, id, targetId);
  }

  @ApiOperation({
    summary: 'Pauses a target: Pierhead keeps checking the store but changes nothing there. Idempotent.',
  })
  @Post(':targetId/pause')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiOkResponse({ type: Target })
  pause(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.pause(caller, id, targetId, true);
  }

  @ApiOperation({ summary: 'Resumes a paused target. Idempotent.' })
  @Post(':targetId/resume')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound)
  @ApiOkResponse({ type: Target })
  resume(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('targetId') targetId: string,
  ): Promise<Target> {
    return this.targets.pause(caller, id, targetId, false);
  }
}

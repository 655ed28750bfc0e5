import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../common/access/index.js';
import { Conditional, IdParam, IfMatch, SendsEntityTags, type Precondition, Idempotent } from '../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../common/fields/index.js';
import { Throws } from '../common/problems/index.js';
import { ReadsStandby } from '../common/database/index.js';
import { EventsService } from './timeline/events.service.js';
import { ExtensionsService } from './extensions.service.js';
import { CreateExtension, Extension, ListEvents, TimelineEvent, UpdateExtension } from './registry.dto.js';
import {
  ApprovalNeedsTwo,
  ApprovalSettingRefused,
  DuplicateName,
  ExtensionNotFound,
  LicensesIssued,
  TenantPlanLimitReached,
} from './registry.problems.js';

/** Extensions of the caller's tenant. */
@ApiTags('extensions')
@SendsEntityTags()
@Controller('extensions')
export class ExtensionsController {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly events: EventsService,
  ) {}

  @ApiOperation({ summary: 'Creates an extension, with one disabled target per store.' })
  @Post()
  @Idempotent()
  @Bearer('extensions:write', 'tenant')
  @Throws(TenantPlanLimitReached, DuplicateName)
  @ApiCreatedResponse({ type: Extension })
  create(@CurrentCaller() caller: Caller, @Body() input: CreateExtension): Promise<Extension> {
    return this.extensions.create(caller.tenantId, input);
  }

  @ApiOperation({ summary: "Lists the tenant's extensions, or those that the token is restricted to, newest first." })
  @Get()
  @Bearer('extensions:read', 'filtered')
  @ApiOkResponse({ type: pageOf(Extension) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<Extension>> {
    return this.extensions.list(caller, query);
  }

  @ApiOperation({ summary: 'Retrieves an extension.' })
  @Get(':id')
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: Extension })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Extension> {
    return this.extensions.get(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Updates the name, licensing, analytics or approval settings of an extension.' })
  @Patch(':id')
  @Conditional()
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, DuplicateName, ApprovalSettingRefused, ApprovalNeedsTwo)
  @ApiOkResponse({ type: Extension })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: UpdateExtension,
    @IfMatch() expected: Precondition,
  ): Promise<Extension> {
    return this.extensions.update(caller, id, input, expected);
  }

  @ApiOperation({
    summary: 'Deletes an extension with its artifacts, targets, versions and events. Nothing changes at the stores.',
  })
  @Delete(':id')
  @HttpCode(204)
  @Conditional()
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound, LicensesIssued, ApprovalSettingRefused)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IfMatch() expected: Precondition): Promise<void> {
    return this.extensions.deleteFor(caller, id, expected);
  }

  @ApiOperation({
    summary: "Lists the extension's events, newest first, optionally those of a kind, target or version.",
  })
  @Get(':id/events')
  @ReadsStandby()
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(TimelineEvent) })
  timeline(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() query: ListEvents,
  ): Promise<Page<TimelineEvent>> {
    return this.events.list(caller.tenantId, id, query);
  }
}

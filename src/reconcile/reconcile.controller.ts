import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../common/access/index.js';
import { IdParam } from '../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../common/fields/index.js';
import { Throws } from '../common/problems/index.js';
import { ReadsStandby } from '../common/database/index.js';
import { ArtifactNotFound } from '../artifacts/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { DryRun, NextStepsQuery, ReconcileResult, VersionReleases } from './reconcile.dto.js';
import { ReconcileService } from './reconcile.service.js';
import { ReleasesService } from './releases/releases.service.js';

/** Reconciling an extension on request, its next steps and its releases. */
@ApiTags('reconcile')
@Controller('extensions/:id')
export class ReconcileController {
  constructor(
    private readonly reconciling: ReconcileService,
    private readonly releases: ReleasesService,
  ) {}

  /** Uses the same code as the scheduled job. */
  @ApiOperation({
    summary: 'Reconciles the enabled targets of an extension immediately, without waiting for their next check.',
  })
  @Post('reconcile')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ReconcileResult })
  reconcile(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<ReconcileResult> {
    return this.reconciling.reconcile(caller.tenantId, id);
  }

  @ApiOperation({
    summary:
      'Says that somebody waits for the versions of an extension: a store that reviews one is asked again within two minutes of the last time. Repeat it each minute.',
  })
  @Post('watch')
  @HttpCode(204)
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiNoContentResponse()
  watch(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<void> {
    return this.reconciling.watch(caller.tenantId, id);
  }

  /** Dry run: asks each store, and changes nothing there. A target whose store has news is reconciled next. */
  @ApiOperation({ summary: 'Shows the next step of each target, and why, without taking it.' })
  @Get('next-steps')
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound, ArtifactNotFound)
  @ApiOkResponse({ type: DryRun })
  nextSteps(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() { artifact }: NextStepsQuery,
  ): Promise<DryRun> {
    return this.reconciling.dryRun(caller.tenantId, id, artifact);
  }

  @ApiOperation({ summary: 'The former name of `next-steps`.', deprecated: true })
  @Get('plan')
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound, ArtifactNotFound)
  @ApiOkResponse({ type: DryRun })
  plan(@CurrentCaller() caller: Caller, @IdParam() id: string, @Query() { artifact }: NextStepsQuery): Promise<DryRun> {
    return this.reconciling.dryRun(caller.tenantId, id, artifact);
  }

  @ApiOperation({ summary: 'Lists versions with their state at each store, newest first.' })
  @Get('releases')
  @ReadsStandby()
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(VersionReleases) })
  matrix(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<VersionReleases>> {
    return this.releases.listByVersion(caller.tenantId, id, query);
  }
}

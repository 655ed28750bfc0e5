import { Body, Controller, Delete, Get, HttpCode, Ip, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Bearer,
  CurrentCaller,
  inPath,
  inQuery,
  LimitedPerAddress,
  Public,
  type Caller,
} from '../../common/access/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import {
  Conditional,
  CrossOrigin,
  IdParam,
  IfMatch,
  SendsEntityTags,
  type Precondition,
} from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { LicensingNotEnabled } from '../licensing.problems.js';
import { TrialDeskService } from './trial-desk.service.js';
import { TrialEntity } from './trial.entity.js';
import {
  ListTrials,
  StartTrial,
  SummarizeTrials,
  Trial,
  TrialAnswer,
  TrialSummary,
  UpdateTrial,
} from './trials.dto.js';
import { TrialConverted, TrialMailUnavailable, TrialNotFound } from './trials.problems.js';
import { TrialsService } from './trials.service.js';

/** The route of trials that installed extensions call. */
@ApiTags('licensing')
@Controller('licensing/trial')
export class DeviceTrialsController {
  constructor(private readonly trials: TrialsService) {}

  @ApiOperation({
    summary:
      'Starts the trial of a device, once, and answers how it stands. Repeating the request changes nothing, also after a reinstall with the same fingerprint.',
  })
  @Post()
  @HttpCode(200)
  @Public('gives one trial to a device; trials are counted per network and extension')
  @CrossOrigin()
  @LimitedPerAddress('trial-address', 'rateLimitActivatePerAddress')
  @Throws(LicensingNotEnabled, TrialMailUnavailable)
  @ApiOkResponse({ type: TrialAnswer })
  ask(@Body() input: StartTrial, @Ip() address: string): Promise<TrialAnswer> {
    return this.trials.ask(input, address);
  }
}

/** Trials, for the tenant. */
@ApiTags('trials')
@SendsEntityTags()
@Controller('trials')
export class TrialsController {
  constructor(private readonly trials: TrialDeskService) {}

  @ApiOperation({ summary: 'Lists trials, newest first, optionally those of one extension, address or state.' })
  @Get()
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(Trial) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListTrials): Promise<Page<Trial>> {
    return this.trials.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Counts trials: those that run, and how those of the last 30 days ended.' })
  @Get('summary')
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: TrialSummary })
  summarize(@CurrentCaller() caller: Caller, @Query() { extension }: SummarizeTrials): Promise<TrialSummary> {
    return this.trials.summarize(caller.tenantId, extension);
  }

  @ApiOperation({ summary: 'Retrieves a trial.' })
  @Get(':id')
  @Bearer('licenses:read', inPath('id', TrialEntity))
  @Throws(TrialNotFound)
  @ApiOkResponse({ type: Trial })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Trial> {
    return this.trials.get(caller.tenantId, id);
  }

  @ApiOperation({
    summary:
      'Moves the end of a trial: ends it, prolongs it, or gives a device one again whose trial is over. The device learns it at its next check.',
  })
  @Patch(':id')
  @Conditional()
  @Bearer('licenses:write', inPath('id', TrialEntity))
  @Throws(TrialNotFound, TrialConverted)
  @ApiOkResponse({ type: Trial })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: UpdateTrial,
    @IfMatch() expected: Precondition,
  ): Promise<Trial> {
    return this.trials.update(caller.tenantId, id, input, expected);
  }

  @ApiOperation({
    summary: 'Deletes a trial and everything known of its user. Device and address can have another trial.',
  })
  @Delete(':id')
  @HttpCode(204)
  @Conditional()
  @Bearer('licenses:write', inPath('id', TrialEntity))
  @Throws(TrialNotFound)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IfMatch() expected: Precondition): Promise<void> {
    return this.trials.delete(caller.tenantId, id, expected);
  }
}

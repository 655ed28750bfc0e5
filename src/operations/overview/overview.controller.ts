import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { PageQuery } from '../../common/fields/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { Overview } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** The state of all extensions at all stores. */
@ApiTags('overview')
@Controller('overview')
export class OverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @ApiOperation({
    summary: 'Shows the state of all extensions at all stores, and what needs attention.',
    description:
      'The first page also lists what needs attention, as far as the role and the token may read it: a publisher, for example, sees nothing about licenses.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('extensions:read', 'filtered')
  @ApiOkResponse({ type: Overview })
  show(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Overview> {
    return this.overviews.show(caller, query);
  }
}

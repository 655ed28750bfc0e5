import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { OverviewWeek } from './home/week.dto.js';
import { WeekService } from './home/week.service.js';
import { Overview, OverviewQuery } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** The state of all extensions at all stores. */
@ApiTags('overview')
@Controller('overview')
export class OverviewController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly weeks: WeekService,
  ) {}

  @ApiOperation({
    summary: 'Shows the state of all extensions at all stores, and what needs attention.',
    description:
      'The first page also lists what needs attention, as far as the role and the token may read it: a publisher, for example, sees nothing about licenses.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('extensions:read', 'filtered')
  @ApiOkResponse({ type: Overview })
  show(@CurrentCaller() caller: Caller, @Query() query: OverviewQuery): Promise<Overview> {
    return this.overviews.show(caller, query);
  }

  @ApiOperation({
    summary: 'Compares installs, sales and licenses of the last week with the week before.',
    description: 'Weeks have seven whole UTC days and end yesterday.',
  })
  @Get('week')
  @ReadsStandby()
  @Bearer('extensions:read', 'filtered')
  @ApiOkResponse({ type: OverviewWeek })
  showWeek(@CurrentCaller() caller: Caller): Promise<OverviewWeek> {
    return this.weeks.show(caller);
  }
}

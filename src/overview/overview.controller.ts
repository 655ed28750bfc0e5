import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../common/access/index.js';
import { PageQuery } from '../common/fields/index.js';
import { Overview } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** Where everything stands. */
@ApiTags('overview')
@Controller('overview')
export class OverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @ApiOperation({
    summary: 'Shows where all extensions stand at all stores, and what needs you.',
    description:
      'The first page also says what needs somebody: as much of it as the role and the token may read, so that a publisher hears nothing of licenses.',
  })
  @Get()
  @Bearer('extensions:read', 'filtered')
  @ApiOkResponse({ type: Overview })
  show(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Overview> {
    return this.overviews.show(caller, query);
  }
}

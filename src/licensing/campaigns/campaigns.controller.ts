import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inQuery, type Caller } from '../../common/access/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { Campaign, ListCampaigns } from './campaigns.dto.js';
import { CampaignsService } from './campaigns.service.js';

/** Campaigns, for the tenant. */
@ApiTags('licenses')
@Controller('campaigns')
export class CampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @ApiOperation({
    summary: 'Lists campaigns, the last issued first, with how many of their licenses are used and revoked.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(Campaign) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListCampaigns): Promise<Page<Campaign>> {
    return this.campaigns.list(caller.tenantId, query);
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Session } from '../../common/access/index.js';
import { pageOf, PageQuery, type Page } from '../../common/fields/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { Instance, InstanceTenant } from './instance.dto.js';
import { InstanceService } from './instance.service.js';

/** Shows operators their instance. */
@ApiTags('instance')
@Controller('instance')
export class InstanceController {
  constructor(private readonly instance: InstanceService) {}

  @ApiOperation({ summary: 'Shows the status of this instance, with a text for bug reports.' })
  @Get()
  @Session('account', { operator: true })
  @ApiOkResponse({ type: Instance })
  show(): Promise<Instance> {
    return this.instance.show();
  }

  @ApiOperation({ summary: 'Lists all tenants of this instance, newest first.' })
  @Get('tenants')
  @ReadsStandby()
  @Session('account', { operator: true })
  @ApiOkResponse({ type: pageOf(InstanceTenant) })
  tenants(@Query() query: PageQuery): Promise<Page<InstanceTenant>> {
    return this.instance.tenants(query);
  }
}

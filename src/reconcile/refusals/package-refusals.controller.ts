import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Session } from '../../common/access/index.js';
import { PackageRefusalList } from './package-refusals.dto.js';
import { PackageRefusalsService } from './package-refusals.service.js';

/** Shows operators which rules of stores are missing. */
@ApiTags('instance')
@Controller('instance/refusals')
export class PackageRefusalsController {
  constructor(private readonly refusals: PackageRefusalsService) {}

  @ApiOperation({ summary: 'Lists refusals of packages that no rule of Pierhead foresees.' })
  @Get()
  @Session('account', { operator: true })
  @ApiOkResponse({ type: PackageRefusalList })
  list(): Promise<PackageRefusalList> {
    return this.refusals.list();
  }
}

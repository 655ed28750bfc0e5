import { Body, Controller, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, HeavyForTenant, inQuery, type Caller } from '../../common/access/index.js';
import { EXAMPLE } from '../../common/fields/index.js';
import { InvalidRequest, Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { LicenseSelection } from '../licenses/index.js';
import { TooManyLicenses } from '../licensing.problems.js';
import { BulkAnswer, BulkLicenses } from './desk.dto.js';
import { LicenseBulkService } from './license-bulk.service.js';
import { LicenseExportService } from './license-export.service.js';

/** Export and bulk changes of licenses. */
@ApiTags('licenses')
@Controller('licenses')
export class LicenseDeskController {
  constructor(
    private readonly exports: LicenseExportService,
    private readonly bulk: LicenseBulkService,
  ) {}

  @ApiOperation({
    summary:
      'Exports licenses as CSV, newest first, by the filters of the list. Codes are not stored, so none are in it.',
  })
  @Get('export')
  @Bearer('licenses:export', inQuery('extension'))
  @HeavyForTenant()
  @Throws(ExtensionNotFound)
  @ApiOkResponse({
    description:
      'A header row, and a row for each license. Text that a spreadsheet would run is preceded by an apostrophe.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  export(@CurrentCaller() caller: Caller, @Query() selection: LicenseSelection): Promise<StreamableFile> {
    return this.exports.export(caller.tenantId, selection);
  }

  @ApiOperation({
    summary:
      'Changes many licenses, a hundred per request, or previews the change. Repeating a request changes nothing.',
  })
  @Post('bulk')
  @HttpCode(200)
  @Bearer('licenses:write', 'tenant')
  @HeavyForTenant()
  @Throws(ExtensionNotFound, InvalidRequest, TooManyLicenses)
  @ApiBody({
    type: BulkLicenses,
    examples: { one: { value: { action: 'suspend', ids: [EXAMPLE.id], dryRun: true } } },
  })
  @ApiOkResponse({ type: BulkAnswer })
  change(@CurrentCaller() caller: Caller, @Body() input: BulkLicenses): Promise<BulkAnswer> {
    return this.bulk.change(caller.tenantId, input);
  }
}

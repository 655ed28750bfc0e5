import { Body, Controller, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, HeavyForTenant, inQuery, type Caller } from '../../common/access/index.js';
import { EXAMPLE } from '../../common/fields/index.js';
import { CsvBody, ReadsOwnBody, type ReadCsvBody } from '../../common/http/index.js';
import { InvalidRequest, PayloadTooLarge, Throws, UnsupportedMediaType } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { LicenseSelection } from '../licenses/index.js';
import { TooManyLicenses } from '../licensing.problems.js';
import { BulkAnswer, BulkLicenses, ImportLicenses, LicenseImport } from './desk.dto.js';
import { LicenseBulkService } from './license-bulk.service.js';
import { LicenseExportService } from './license-export.service.js';
import { LicenseImportService } from './license-import.service.js';

/** Export, import and bulk changes of licenses. */
@ApiTags('licenses')
@Controller('licenses')
export class LicenseDeskController {
  constructor(
    private readonly exports: LicenseExportService,
    private readonly imports: LicenseImportService,
    private readonly bulk: LicenseBulkService,
  ) {}

  @ApiOperation({
    summary:
      'Exports licenses as CSV, newest first, by the filters of the list. Codes are not stored, so none are in it.',
  })
  @Get('export')
  @Bearer('licenses:read', inQuery('extension'))
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
      'Imports licenses of another tool from CSV with the columns email, tier, code, order, status, expiresAt and maxActivations. Buyers keep their codes. Repeating an import changes nothing.',
  })
  @Post('import')
  @HttpCode(200)
  @Bearer('licenses:write', inQuery('extension'))
  @HeavyForTenant()
  @ReadsOwnBody()
  @Throws(ExtensionNotFound, InvalidRequest, UnsupportedMediaType, PayloadTooLarge)
  @ApiConsumes('text/csv')
  @ApiBody({
    required: true,
    schema: {
      type: 'string',
      example: 'email,tier,code\r\nann@example.com,pro,38B1460A-5104-4067-A91D-77B872934D51\r\n',
    },
  })
  @ApiOkResponse({ type: LicenseImport })
  import(
    @CurrentCaller() caller: Caller,
    @Query() query: ImportLicenses,
    @CsvBody() readRows: ReadCsvBody,
  ): Promise<LicenseImport> {
    return this.imports.import(caller.tenantId, query, readRows);
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

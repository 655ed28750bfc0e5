import { Body, Controller, Delete, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Bearer, CurrentCaller, HeavyForTenant, inPath, inQuery, type Caller } from '../../common/access/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { IdParam, ReadsOwnBody, UploadedCsv, type CsvUpload, Idempotent } from '../../common/http/index.js';
import { InvalidRequest, PayloadTooLarge, Throws, UnsupportedMediaType } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { ImportResultsService } from './import-results.service.js';
import { FileImport, ListedImport, ListImports, PreviewImport, StartImport, UploadImport } from './imports.dto.js';
import { ImportHasFaults, ImportNotFound, ImportNotReady, TooManyImports } from './imports.problems.js';
import { ImportsService } from './imports.service.js';
import { LicenseImportEntity } from './license-import.entity.js';

const CSV = { content: { 'text/csv': { schema: { type: 'string' } } } } as const;
const ONE = inPath('id', LicenseImportEntity);

/** Imports of the export files of other tools. */
@ApiTags('licenses')
@Controller('license-imports')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly results: ImportResultsService,
  ) {}

  @ApiOperation({
    summary: 'Sends an export file of another tool, of up to 100,000 lines and 100 MiB.',
    description:
      'Files of Lemon Squeezy, Keygen, Polar, Gumroad and Pierhead are recognized by their columns; commas, semicolons and tabs separate cells. The file is checked in the background, and nothing is made before it is started. It is kept encrypted, until its lines have been imported or for seven days.',
  })
  @Post()
  @Idempotent({ asksOutside: true })
  @Bearer('licenses:write', inQuery('extension'))
  @HeavyForTenant()
  @ReadsOwnBody()
  @Throws(ExtensionNotFound, TooManyImports, ImportNotReady, InvalidRequest, UnsupportedMediaType, PayloadTooLarge)
  @ApiConsumes('text/csv')
  @ApiBody({ required: true, schema: { type: 'string', example: 'LICENSE KEY;ORDER ID;PRODUCT NAME;USER EMAIL\r\n' } })
  @ApiCreatedResponse({ type: FileImport })
  upload(
    @CurrentCaller() { tenantId }: Caller,
    @Query() query: UploadImport,
    @UploadedCsv() upload: CsvUpload,
  ): Promise<FileImport> {
    return this.imports.upload(tenantId, query, upload);
  }

  @ApiOperation({ summary: 'Lists imports of files, newest first.' })
  @Get()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(ListedImport) })
  list(@CurrentCaller() { tenantId }: Caller, @Query() query: ListImports): Promise<Page<ListedImport>> {
    return this.imports.list(tenantId, query);
  }

  @ApiOperation({ summary: 'Shows an import: how its file is read, what a start would do, and how far it is.' })
  @Get(':id')
  @Bearer('licenses:read', ONE)
  @Throws(ImportNotFound)
  @ApiOkResponse({ type: FileImport })
  get(@CurrentCaller() { tenantId }: Caller, @IdParam() id: string): Promise<FileImport> {
    return this.imports.get(tenantId, id);
  }

  @ApiOperation({ summary: 'Says how the file is read, and has it checked again.' })
  @Post(':id/preview')
  @HttpCode(200)
  @Bearer('licenses:write', ONE)
  @HeavyForTenant()
  @Throws(ImportNotFound, ImportNotReady, InvalidRequest)
  @ApiBody({
    type: PreviewImport,
    examples: {
      one: { value: { tiers: { 'E-book': '-' }, statuses: { Frozen: 'suspended' } } },
    },
  })
  @ApiOkResponse({ type: FileImport })
  preview(
    @CurrentCaller() { tenantId }: Caller,
    @IdParam() id: string,
    @Body() input: PreviewImport,
  ): Promise<FileImport> {
    return this.imports.preview(tenantId, id, input);
  }

  @ApiOperation({
    summary: 'Starts an import that is ready.',
    description:
      'Licenses are made in the background. A line is a license by its code or its order: one that exists is left unchanged, so the same file can be imported again. Repeating the request changes nothing.',
  })
  @Post(':id/start')
  @HttpCode(200)
  @Bearer('licenses:write', ONE)
  @Throws(ImportNotFound, ImportNotReady, ImportHasFaults)
  @ApiOkResponse({ type: FileImport })
  start(@CurrentCaller() { tenantId }: Caller, @IdParam() id: string, @Body() input: StartImport): Promise<FileImport> {
    return this.imports.start(tenantId, id, input);
  }

  @ApiOperation({ summary: 'Stops an import. Licenses that it has made stay; the rest of its file is deleted.' })
  @Post(':id/cancel')
  @HttpCode(200)
  @Bearer('licenses:write', ONE)
  @Throws(ImportNotFound)
  @ApiOkResponse({ type: FileImport })
  cancel(@CurrentCaller() { tenantId }: Caller, @IdParam() id: string): Promise<FileImport> {
    return this.imports.cancel(tenantId, id);
  }

  @ApiOperation({ summary: 'Lists the lines that cannot be imported, as CSV.' })
  @Get(':id/faults')
  @Bearer('licenses:export', ONE)
  @HeavyForTenant()
  @Throws(ImportNotFound)
  @ApiOkResponse({ description: 'The columns line and message.', ...CSV })
  faults(@CurrentCaller() { tenantId }: Caller, @IdParam() id: string): Promise<StreamableFile> {
    return this.results.faults(tenantId, id);
  }

  @ApiOperation({
    summary: 'Lists the codes that an import made for lines without one, as CSV.',
    description:
      'They are kept encrypted until the import is deleted, and at most seven days after its end. A code that was replaced meanwhile is not among them.',
  })
  @Get(':id/codes')
  @Bearer('licenses:write', ONE)
  @HeavyForTenant()
  @Throws(ImportNotFound)
  @ApiOkResponse({ description: 'The columns email and code.', ...CSV })
  codes(@CurrentCaller() { tenantId }: Caller, @IdParam() id: string): Promise<StreamableFile> {
    return this.results.codes(tenantId, id);
  }

  @ApiOperation({ summary: 'Deletes an import with its file and its codes. The licenses that it made stay.' })
  @Delete(':id')
  @HttpCode(204)
  @Bearer('licenses:write', ONE)
  @Throws(ImportNotFound)
  @ApiNoContentResponse()
  async delete(@CurrentCaller() { tenantId }: Caller, @IdParam() id: string): Promise<void> {
    await this.imports.delete(tenantId, id);
  }
}

import { Controller, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { CurrentSession, Session, type SessionCaller } from '../../../common/access/index.js';
import { pageOf, PageQuery, type Page } from '../../../common/fields/index.js';
import { IdParam, Idempotent } from '../../../common/http/index.js';
import { Throws } from '../../../common/problems/index.js';
import { TenantExport } from '../tenant-data.dto.js';
import { ExportNotFound, ExportNotReady, ExportUnderWay } from '../tenant-data.problems.js';
import { ExportsService } from './exports.service.js';

/** Archives of all that a tenant has. */
@ApiTags('tenant')
@Controller('tenant/exports')
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @ApiOperation({
    summary: 'Requests an archive of all data of the tenant.',
    description:
      'The archive is a zip with a file of JSON lines for each kind of data, and all packages. It is made in the background, and can be downloaded for 24 hours. It holds no secrets: no codes, credentials, passwords or tokens.',
  })
  @Post()
  @Idempotent()
  @Session('tenant:write', { secondFactor: true })
  @Throws(ExportUnderWay)
  @ApiCreatedResponse({ type: TenantExport })
  request(@CurrentSession() caller: SessionCaller): Promise<TenantExport> {
    return this.exports.request(caller);
  }

  @ApiOperation({ summary: "Lists the tenant's exports, newest first." })
  @Get()
  @Session('tenant:write')
  @ApiOkResponse({ type: pageOf(TenantExport) })
  list(@CurrentSession() { tenantId }: SessionCaller, @Query() query: PageQuery): Promise<Page<TenantExport>> {
    return this.exports.list(tenantId, query);
  }

  @ApiOperation({ summary: 'Shows an export.' })
  @Get(':id')
  @Session('tenant:write')
  @Throws(ExportNotFound)
  @ApiOkResponse({ type: TenantExport })
  get(@CurrentSession() { tenantId }: SessionCaller, @IdParam() id: string): Promise<TenantExport> {
    return this.exports.get(tenantId, id);
  }

  @ApiOperation({ summary: 'Downloads an export that is ready.' })
  @Get(':id/download')
  @Session('tenant:write', { secondFactor: true })
  @Throws(ExportNotFound, ExportNotReady)
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  download(@CurrentSession() { tenantId }: SessionCaller, @IdParam() id: string): Promise<StreamableFile> {
    return this.exports.download(tenantId, id);
  }
}

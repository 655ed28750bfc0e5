import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, HeavyForTenant, SessionOrBearer, type Caller } from '../../common/access/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { AuditEntry, ExportAudit, ListAudit } from './audit.dto.js';
import { AuditService } from './audit.service.js';

/** The audit log of the caller's tenant. No route changes it. */
@ApiTags('audit log')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @ApiOperation({ summary: 'Lists what people, tokens and processors have changed, newest first.' })
  @Get()
  @ReadsStandby()
  @SessionOrBearer('audit:read')
  @ApiOkResponse({ type: pageOf(AuditEntry) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAudit): Promise<Page<AuditEntry>> {
    return this.audit.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Exports the audit log, newest first.' })
  @Get('export')
  @SessionOrBearer('audit:read')
  @HeavyForTenant()
  @ApiOkResponse({
    description: 'A line for each entry.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } }, 'text/csv': { schema: { type: 'string' } } },
  })
  export(@CurrentCaller() caller: Caller, @Query() query: ExportAudit): Promise<StreamableFile> {
    return this.audit.export(caller.tenantId, query);
  }
}

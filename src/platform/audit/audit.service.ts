import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { csvOf } from '../../common/http/index.js';
import { pageFrom, batchesOf, type Page, type PageStart } from '../../common/fields/index.js';
import { Standby } from '../../common/database/index.js';
import { AuditLog } from './audit-log.js';
import { AuditEntriesRepository, type EntryFilter } from './audit-entries.repository.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import type { AuditEntry, ExportAudit, ListAudit } from './audit.dto.js';
import { CSV_HEAD, csvRow } from './csv-row.js';

/** The audit log for its tenants. */
@Injectable()
export class AuditService {
  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly standby: Standby,
    private readonly log: AuditLog,
  ) {}

  /** Lists the tenant's entries, newest first. */
  list(tenantId: string, query: ListAudit): Promise<Page<AuditEntry>> {
    return pageFrom(query, (start) => this.entries.list(tenantId, query, start), toEntry);
  }

  /** Streams the tenant's entries, newest first, in batches, as fast as the client reads. */
  async export(tenantId: string, { format = 'ndjson', ...filter }: ExportAudit): Promise<StreamableFile> {
    const count = await this.standby.read(() => this.entries.count(tenantId, filter));
    await this.log.recordRead(tenantId, 'tenant.audit_exported', { id: tenantId }, { ...filter }, count);
    const lines = format === 'csv' ? this.csv(tenantId, filter) : this.ndjson(tenantId, filter);
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return new StreamableFile(Readable.from(lines), { type, disposition: `attachment; filename="audit.${format}"` });
  }

  private async *ndjson(tenantId: string, filter: EntryFilter): AsyncGenerator<string> {
    for await (const entries of this.stretches(tenantId, filter))
      yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  }

  private async *csv(tenantId: string, filter: EntryFilter): AsyncGenerator<string> {
    yield csvOf([CSV_HEAD]);
    for await (const entries of this.stretches(tenantId, filter)) yield csvOf(entries.map(csvRow));
  }

  private async *stretches(tenantId: string, filter: EntryFilter): AsyncGenerator<readonly AuditEntry[]> {
    const read = (start: PageStart) => this.standby.read(() => this.entries.list(tenantId, filter, start));
    for await (const rows of batchesOf(read)) yield rows.map(toEntry);
  }
}

const toEntry = (row: AuditEntryEntity): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: {
    kind: row.actorKind,
    id: row.actorId,
    name: row.actorName,
    role: row.actorRole,
    sessionId: row.sessionId,
  },
  address: row.address,
  country: row.country,
  action: row.action,
  subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
  extensionId: row.extensionId,
  before: row.before,
  after: row.after,
  requestId: row.requestId,
});

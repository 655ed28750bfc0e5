import { Injectable, StreamableFile } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { SessionCaller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { Hook, newRow, Transactions } from '../../../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../../../common/fields/index.js';
import { API_PREFIX } from '../../../common/http/index.js';
import { BlobStore } from '../../../common/storage/index.js';
import { AuditLog } from '../../../platform/audit/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../../common/system/index.js';
import { composeMail, OutboxService } from '../../../platform/mail/index.js';
import type { TenantExport } from '../tenant-data.dto.js';
import { ExportNotFound, ExportNotReady } from '../tenant-data.problems.js';
import { ExportsRepository, type DueExport, type TenantExportRow } from './exports.repository.js';

/** Time for which an export can be downloaded. */
const KEPT_MS = DAY_MS;
const FOLDER = 'exports/';

/** Key of an export in the blob store, the same at each attempt. */
export const exportKey = (id: string): string => `${FOLDER}${id}`;

/** Exports of all data of a tenant: requested, made in the background, and downloaded within a day. */
@Injectable()
export class ExportsService {
  /** Runs inside the transaction that adds a pending export. */
  readonly requested = new Hook<void>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly exports: ExportsRepository,
    private readonly blobs: BlobStore,
    private readonly outbox: OutboxService,
    private readonly audit: AuditLog,
  ) {}

  /** Requests an export. */
  async request({ tenantId, actor }: SessionCaller): Promise<TenantExport> {
    const base = newRow(this.clock.now());
    const row: TenantExportRow = {
      ...base,
      tenantId,
      requestedBy: actor.kind === 'user' ? actor.name : '',
      state: 'pending',
      attempts: 0,
      dueAt: base.createdAt,
      expiresAt: new Date(base.createdAt.getTime() + KEPT_MS),
      size: null,
      sha256: null,
      leaseToken: null,
      leaseUntil: null,
    };
    await this.tx.run(async () => {
      await this.exports.insert(row);
      await this.audit.record(tenantId, 'tenant.export_requested', { id: tenantId });
      await this.requested.run();
    });
    return this.show(row);
  }

  /** Lists the tenant's exports, newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<TenantExport>> {
    return pageFrom(
      query,
      (start) => this.exports.list(tenantId, start, this.clock.now()),
      (row) => this.show(row),
    );
  }

  async get(tenantId: string, id: string): Promise<TenantExport> {
    return this.show(await this.find(tenantId, id));
  }

  /** Deletes the archives of a tenant that is being deleted. */
  async removeArchives(tenantId: string): Promise<void> {
    for (const id of await this.exports.findIds(tenantId)) await this.blobs.remove(exportKey(id));
  }

  /** Opens the archive. */
  async download(tenantId: string, id: string): Promise<StreamableFile> {
    const { state, size, createdAt } = await this.find(tenantId, id);
    if (state !== 'ready' || size === null) throw new ExportNotReady();
    await this.audit.recordRead(tenantId, 'tenant.export_downloaded', { id: tenantId }, { export: id }, 1);
    return new StreamableFile(await this.blobs.open(exportKey(id)), {
      type: 'application/zip',
      length: Number(size),
      disposition: `attachment; filename="pierhead-export-${createdAt.toISOString().slice(0, 10)}.zip"`,
    });
  }

  /** Records that an archive is in the blob store, and mails the user who requested it. */
  async recordReady(dueExport: DueExport, { size, sha256 }: { size: number; sha256: string }): Promise<void> {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    const ready = { state: 'ready', dueAt: null, size: String(size), sha256, expiresAt, updatedAt: now } as const;
    await this.tx.run(async () => {
      if (!(await this.exports.recordResult(dueExport, ready))) return;
      const { id, tenantId, requestedBy: to } = dueExport;
      const mail = composeMail(
        'Your export is ready',
        [
          'The export that you requested is ready. You can download it for 24 hours, while you are logged in as an owner.',
          { button: this.urlOf(id), label: 'Download the export' },
        ],
        'because you requested an export',
      );
      await this.outbox.add({ ...mail, purpose: 'tenant-export', aboutId: id, tenantId, to, expiresAt });
    });
  }

  /** Deletes exports that have expired, with their archives. */
  async deleteExpired(): Promise<void> {
    for (const id of await this.exports.findExpired(this.clock.now())) {
      await this.blobs.remove(exportKey(id));
      await this.exports.delete(id);
    }
  }

  /** Deletes archives that crashes have left behind: those older than any export. */
  @Interval('stray-export-cleanup', HOUR_MS)
  async removeStrays(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - 2 * KEPT_MS);
    for await (const { key, modifiedAt } of this.blobs.list(FOLDER))
      if (modifiedAt < before) await this.blobs.remove(key);
  }

  private async find(tenantId: string, id: string): Promise<TenantExportRow> {
    const row = await this.exports.find(tenantId, id, this.clock.now());
    if (row === null) throw new ExportNotFound();
    return row;
  }

  private show({ id, state, requestedBy, size, sha256, createdAt, expiresAt }: TenantExportRow): TenantExport {
    const url = state === 'ready' ? this.urlOf(id) : null;
    return { id, state, requestedBy, size: size === null ? null : Number(size), sha256, url, createdAt, expiresAt };
  }

  private urlOf(id: string): string {
    return `${this.config.publicUrl}${API_PREFIX}/tenant/exports/${id}/download`;
  }
}

import { Injectable } from '@nestjs/common';
import { BlobStore, writeZip, type WrittenZip } from '../../../common/storage/index.js';
import { Clock } from '../../../common/system/index.js';
import type { ExportedTable } from './exported-table.js';
import { ExportsRepository, type RowKey } from './exports.repository.js';

/** The last entry of an archive, which describes it. */
interface Manifest {
  readonly tenantId: string;
  readonly begunAt: Date;
  endedAt: Date | null;
  /** Rows of each file. */
  readonly rows: Record<string, number>;
  /** Packages whose file the blob store has lost. */
  readonly missingPackages: string[];
}

/** Writes the archive of an export with constant memory: a file of JSON lines for each table, the packages, and a manifest. */
@Injectable()
export class ExportArchiveService {
  constructor(
    private readonly clock: Clock,
    private readonly exports: ExportsRepository,
    private readonly blobs: BlobStore,
  ) {}

  /**
   * Writes all data of a tenant to a file. Tables are read one after the other, so a simultaneous change may be in one and not in another.
   * @param whileWriting called between pages and packages; an error that it throws ends the attempt
   */
  async write(path: string, tenantId: string, whileWriting: () => Promise<void>): Promise<WrittenZip> {
    const manifest: Manifest = { tenantId, begunAt: this.clock.now(), endedAt: null, rows: {}, missingPackages: [] };
    const packages = await this.exports.findPackages(tenantId);
    return writeZip(path, [
      ...this.exports.tables().map((table) => ({
        name: `${table.file}.ndjson`,
        content: () => this.lines(table, tenantId, manifest, whileWriting),
      })),
      ...packages.map(({ sha256, key }) => ({
        name: `packages/${sha256}.zip`,
        content: () => this.package(key, sha256, manifest, whileWriting),
        compress: false,
      })),
      { name: 'manifest.json', content: () => this.manifestOf(manifest) },
    ]);
  }

  private async *lines(
    table: ExportedTable,
    tenantId: string,
    manifest: Manifest,
    whileWriting: () => Promise<void>,
  ): AsyncGenerator<string> {
    manifest.rows[table.file] = 0;
    let after: RowKey | null = null;
    do {
      const page = await this.exports.readPage(tenantId, table, after);
      manifest.rows[table.file] = (manifest.rows[table.file] ?? 0) + page.rows.length;
      yield page.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      after = page.next;
      await whileWriting();
    } while (after !== null);
  }

  private async *package(
    key: string,
    sha256: string,
    manifest: Manifest,
    whileWriting: () => Promise<void>,
  ): AsyncGenerator<Buffer> {
    if (!(await this.blobs.exists(key))) {
      manifest.missingPackages.push(sha256);
      return;
    }
    for await (const chunk of await this.blobs.open(key)) {
      yield chunk as Buffer;
      await whileWriting();
    }
  }

  private async *manifestOf(manifest: Manifest): AsyncGenerator<string> {
    manifest.endedAt = this.clock.now();
    yield `${JSON.stringify(manifest, null, 2)}\n`;
  }
}

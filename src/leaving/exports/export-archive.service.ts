import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { BlobStore } from '../../common/storage/index.js';
import { Clock } from '../../common/system/index.js';
import type { ExportedTable } from './exported-table.js';
import { EXPORTED_TABLES } from './exported-tables.js';
import { ExportsRepository, type RowKey } from './exports.repository.js';

/** What an archive says of itself, in its last entry. */
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
   * Writes all that a tenant has to a file. Tables are read one after the other, so what changes meanwhile may be in one and not in another.
   * @param whileWriting runs between pages and packages; the archive is given up when it throws
   */
  async write(
    path: string,
    tenantId: string,
    whileWriting: () => Promise<void>,
  ): Promise<{ readonly size: number; readonly sha256: string }> {
    const zip = new ZipFile();
    const manifest: Manifest = { tenantId, begunAt: this.clock.now(), endedAt: null, rows: {}, missingPackages: [] };
    for (const table of EXPORTED_TABLES)
      add(zip, `${table.file}.ndjson`, () => this.lines(table, tenantId, manifest, whileWriting));
    for (const { sha256, key } of await this.exports.findPackages(tenantId))
      add(zip, `packages/${sha256}.zip`, () => this.package(key, sha256, manifest, whileWriting), { compress: false });
    add(zip, 'manifest.json', () => this.ending(manifest));
    zip.end();

    const hash = createHash('sha256');
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    zip.on('error', (error) => measure.destroy(error));
    await pipeline(zip.outputStream, measure, createWriteStream(path, { mode: 0o600 }));
    return { size, sha256: hash.digest('hex') };
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

  private async *ending(manifest: Manifest): AsyncGenerator<string> {
    manifest.endedAt = this.clock.now();
    yield `${JSON.stringify(manifest, null, 2)}\n`;
  }
}

/** Adds an entry whose content is read when its turn comes. What fails there fails the archive, which would wait for ever. */
function add(zip: ZipFile, name: string, content: () => AsyncGenerator<string | Buffer>, options = {}): void {
  zip.addReadStreamLazy(name, options, (ready) => {
    const stream = Readable.from(content(), { objectMode: false });
    stream.on('error', (error) => zip.emit('error', error));
    ready(null, stream);
  });
}

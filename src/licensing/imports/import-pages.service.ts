import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { newRow } from '../../common/database/index.js';
import type { CsvUpload } from '../../common/http/index.js';
import { WorkerThread } from '../../common/jobs/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { Clock } from '../../common/system/index.js';
import type { CsvRow } from './reading/read-csv.js';
import { ArrivingFile } from './receive-file.js';
import { ImportsRepository, type ImportPageRow } from './imports.repository.js';

/** A line that cannot be imported. */
export interface LineFault {
  readonly line: number;
  readonly message: string;
}

/** A code that was made. Whose it is says the license, so that nothing of an erased one stays here. */
export interface MadeCode {
  readonly licenseId: string;
  readonly code: string;
}

/** What a page holds. */
export interface PageContent {
  readonly rows: readonly CsvRow[];
  readonly faults: readonly LineFault[];
  readonly codes: readonly MadeCode[];
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

const purposeOf = (importId: string, number: number): string => `license-import-page:${importId}:${number}`;

/** The pages of imported files: codes and addresses, so each is packed and sealed. */
@Injectable()
export class ImportPagesService {
  constructor(
    private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly imports: ImportsRepository,
    private readonly thread: WorkerThread,
  ) {}

  /** Receives a file whose rows become pages. */
  receive(upload: CsvUpload): ArrivingFile {
    return new ArrivingFile(upload, this.thread);
  }

  /** Adds a page of a file that arrives. */
  async add(importId: string, number: number, rows: readonly CsvRow[]): Promise<void> {
    const sealed = await this.seal(importId, number, { rows, faults: [], codes: [] });
    await this.imports.insertPage({ ...newRow(this.clock.now()), importId, number, sealed });
  }

  /** Reads a page; null when the import was deleted. @throws CannotUnseal */
  async read(importId: string, number: number): Promise<(PageContent & Pick<ImportPageRow, 'id'>) | null> {
    const page = await this.imports.findPage(importId, number);
    if (page === null) return null;
    const packed = (await this.sealer.unseal(page.sealed, purposeOf(importId, number))) as string;
    const text = (await unpack(Buffer.from(packed, 'base64'))).toString();
    return { ...(JSON.parse(text) as PageContent), id: page.id };
  }

  /** Seals the content of a page, for {@link replace}. */
  async seal(importId: string, number: number, content: PageContent): Promise<string> {
    const packed = await pack(JSON.stringify(content));
    return this.sealer.seal(packed.toString('base64'), purposeOf(importId, number));
  }

  /** Replaces the content of a page. */
  replace(id: string, sealed: string): Promise<void> {
    return this.imports.changePage(id, { sealed, updatedAt: this.clock.now() });
  }
}

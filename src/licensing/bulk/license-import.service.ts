import { Injectable } from '@nestjs/common';
import type { ReadCsvBody } from '../../common/http/index.js';
import { invalidBody } from '../../common/problems/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import type { ImportedLine, ImportLicenses, LicenseImport } from './desk.dto.js';
import { ImportLinesService, LINES_TOGETHER, type LineResult } from './import-lines.service.js';
import { readLines, type ReadLine } from './import-line.js';

/** Imports licenses of another tool from one request. */
@Injectable()
export class LicenseImportService {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly lines: ImportLinesService,
    private readonly events: EventsService,
  ) {}

  /** Imports a license for each line, or says why not. */
  async import(
    tenantId: string,
    { extension, dryRun: isDryRun = false }: ImportLicenses,
    readRows: ReadCsvBody,
  ): Promise<LicenseImport> {
    const { id: extensionId } = await this.extensions.getOrThrow(tenantId, extension);
    const read = readLines(await readRows());
    if (typeof read === 'string') throw invalidBody(read);
    const context = await this.lines.contextOf(tenantId, extensionId);
    const seen = new Map<string, number>();
    const lines: ImportedLine[] = [];
    const count = (outcome: ImportedLine['outcome']): number => lines.filter((one) => one.outcome === outcome).length;
    try {
      for (let at = 0; at < read.length; at += LINES_TOGETHER) {
        const part = read.slice(at, at + LINES_TOGETHER);
        const results = isDryRun
          ? await this.lines.preview(context, part, seen)
          : await this.lines.import(context, part, async (made) => made);
        lines.push(...withAddresses(part, results));
      }
    } finally {
      if (!isDryRun) await this.addEvent(extensionId, count('created'));
    }
    return { dryRun: isDryRun, created: count('created'), existing: count('exists'), faults: count('fault'), lines };
  }

  /** Adds one event for a whole import, which would otherwise push everything else out of the timeline. The audit log names each license. */
  async addEvent(extensionId: string, created: number): Promise<void> {
    if (created === 0) return;
    const message = created === 1 ? '1 license was imported.' : `${created} licenses were imported.`;
    await this.events.append({ extensionId, kind: 'license_imported', message, data: { created } });
  }
}

const withAddresses = (lines: readonly ReadLine[], results: readonly LineResult[]): readonly ImportedLine[] =>
  results.map((result, at) => ({ ...result, email: lines[at]?.cells['email'] ?? null }));

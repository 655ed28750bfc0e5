import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { csvOf, type Cell } from '../../common/http/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { LicensesRepository } from '../licenses/index.js';
import { ImportPagesService, type PageContent } from './import-pages.service.js';
import { ImportsService } from './imports.service.js';

/** What became of imports, as CSV. */
@Injectable()
export class ImportResultsService {
  constructor(
    private readonly imports: ImportsService,
    private readonly pages: ImportPagesService,
    private readonly licenses: LicensesRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Streams the lines that cannot be imported. */
  async faults(tenantId: string, id: string): Promise<StreamableFile> {
    return this.csv(tenantId, id, 'faults', ['line', 'message'], async ({ faults }) =>
      faults.map(({ line, message }) => [line, message]),
    );
  }

  /** Streams the codes that were made, with whom each is for: without those that were replaced since, and those of licenses that were deleted. */
  async codes(tenantId: string, id: string): Promise<StreamableFile> {
    return this.csv(tenantId, id, 'codes', ['email', 'code'], async ({ codes }) => {
      const licenses = await this.licenses.findAll(codes.map(({ licenseId }) => licenseId));
      const byId = new Map(licenses.map((one) => [one.id, one]));
      return codes.flatMap(({ licenseId, code }) => {
        const license = byId.get(licenseId);
        return license === undefined || !code.endsWith(license.codeHint) ? [] : [[license.buyerEmail, code]];
      });
    });
  }

  private async csv(
    tenantId: string,
    id: string,
    what: 'codes' | 'faults',
    head: readonly string[],
    rowsOf: (page: PageContent) => Promise<readonly (readonly Cell[])[]>,
  ): Promise<StreamableFile> {
    const row = await this.imports.find(tenantId, id);
    const { pages } = row;
    await this.audit.recordRead(tenantId, `license_import.${what}_read`, row, {}, row[what]);
    const { pages: all } = this;
    async function* lines(): AsyncGenerator<string> {
      yield csvOf([head]);
      for (let number = 0; number < pages; number += 1) {
        const page = await all.read(id, number);
        if (page !== null) yield csvOf(await rowsOf(page));
      }
    }
    return new StreamableFile(Readable.from(lines()), {
      type: 'text/csv',
      disposition: `attachment; filename="${what}.csv"`,
    });
  }
}

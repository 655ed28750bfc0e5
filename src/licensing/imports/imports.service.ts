import { Injectable } from '@nestjs/common';
import { currentActor } from '../../common/access/index.js';
import { newRow, RETURNED_LOCK, timeOfChange, Transactions } from '../../common/database/index.js';
import { pageFrom, type Page } from '../../common/fields/index.js';
import type { CsvUpload } from '../../common/http/index.js';
import { invalidBody, InvalidRequest, orThrow } from '../../common/problems/index.js';
import { Clock, HOUR_MS } from '../../common/system/index.js';
import { AccountsService } from '../../platform/accounts/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { LINES_TOGETHER } from '../bulk/index.js';
import { LicensePlansRepository } from '../plans/index.js';
import { ImportFactsService } from './import-facts.service.js';
import { ValueCounts, type ImportFacts } from './import-facts.js';
import { ImportPagesService } from './import-pages.service.js';
import { ImportRunnerService, KEPT_MS } from './import-runner.service.js';
import type { FileImport, ListedImport, ListImports, PreviewImport, StartImport, UploadImport } from './imports.dto.js';
import { ImportHasFaults, ImportNotFound, ImportNotReady, TooManyImports } from './imports.problems.js';
import { ImportsRepository, type ImportChange, type ImportRow } from './imports.repository.js';
import type { ImportState } from './license-import.entity.js';
import { LineReader } from './reading/line-reader.js';
import { CsvFault, type CsvRow } from './reading/read-csv.js';
import { recognize } from './reading/profiles/index.js';
import type { ProfileName } from './reading/profile.js';
import { sayable } from './reading/fold.js';
import { columnTwice, missingFields, proposeColumns, proposeTiers, type Reading } from './reading/reading.js';
import { changedReading } from './reading/change.js';
import { MAX_IMPORT_LINES, type ReceivedFile } from './receive-file.js';
import { toFileImport, toListedImport } from './to-file-import.js';

/** Imports of a tenant that wait or run at once. */
const MAX_OPEN = 5;
/** Longer than a file may take to arrive. */
const UPLOAD_MS = HOUR_MS;
/** Characters of a page, but for a single long line. */
const PAGE_CHARACTERS = 1_000_000;
const BEGUN: ReadonlySet<ImportState> = new Set(['running', 'done', 'canceled', 'failed']);
const ZERO = { nextPage: 0, created: 0, existing: 0, faults: 0, skipped: 0, codes: 0, attempts: 0 };

/** Imports of files of licenses: sent, previewed, started, and carried out in the background. */
@Injectable()
export class ImportsService {
  /** Called once a worker has something to do. */
  readonly due = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly plans: LicensePlansRepository,
    private readonly imports: ImportsRepository,
    private readonly pages: ImportPagesService,
    private readonly facts: ImportFactsService,
    private readonly audit: AuditLog,
    private readonly accounts: AccountsService,
    private readonly runner: ImportRunnerService,
  ) {}

  /** Keeps a file as it arrives, a page at a time, and has it checked if its columns are known. */
  async upload(tenantId: string, { extension, profile }: UploadImport, upload: CsvUpload): Promise<FileImport> {
    const { id: extensionId } = await this.extensions.getOrThrow(tenantId, extension);
    const row = await this.begin(tenantId, extensionId);
    try {
      const file = this.pages.receive(upload);
      const tiers = (await this.plans.listOf(extensionId)).map(({ tier }) => tier);
      const arrived = await this.receive(row.id, file.rows(), { profile, tiers });
      return await this.finish(row, { ...arrived, ...file.received });
    } catch (error) {
      await this.imports.delete(row.id);
      throw error instanceof CsvFault ? invalidBody(`The file ${error.message}.`) : error;
    }
  }

  /** Lists imports, newest first. */
  async list(tenantId: string, { extension, ...query }: ListImports): Promise<Page<ListedImport>> {
    if (extension !== undefined) await this.extensions.getOrThrow(tenantId, extension);
    return pageFrom(
      query,
      (start) => this.imports.list(tenantId, extension, start, this.clock.now()),
      (row) => toListedImport(row),
    );
  }

  async get(tenantId: string, id: string): Promise<FileImport> {
    return this.show(await this.find(tenantId, id));
  }

  /** Changes how a file is read, and has it checked again. */
  async preview(tenantId: string, id: string, input: PreviewImport): Promise<FileImport> {
    return this.change(tenantId, id, async (row) => {
      if (row.state === 'uploading' || BEGUN.has(row.state)) throw new ImportNotReady(row.state);
      const facts = await this.facts.open(row);
      const tiers = (await this.plans.listOf(row.extensionId)).map(({ tier }) => tier);
      const { profile, fault, ...reading } = changedReading(row.profile, facts, input, tiers);
      if (fault !== null) throw new InvalidRequest([fault]);
      const sealed = await this.facts.seal(id, { ...facts, reading, products: [], statuses: [], firstFaults: [] });
      return { ...ZERO, profile, sealed, ...this.nextOf({ ...reading, profile }) };
    });
  }

  /** Starts an import that is ready. One that has begun stays as it is. */
  async start(tenantId: string, id: string, { skipFaults = false }: StartImport): Promise<FileImport> {
    return this.change(tenantId, id, async (row) => {
      if (row.state === 'running' || row.state === 'done') return null;
      if (row.state !== 'ready') throw new ImportNotReady(row.state);
      if (row.faults > 0 && !skipFaults) throw new ImportHasFaults(row.faults);
      const facts = await this.facts.open(row);
      const sealed = await this.facts.seal(id, { ...facts, firstFaults: [] });
      await this.audit.record(tenantId, 'license_import.started', row);
      return { ...ZERO, state: 'running', sealed, actor: currentActor(), dueAt: this.clock.now() };
    });
  }

  /** Stops an import after the page that is being imported, and forgets the lines that are left. */
  async cancel(tenantId: string, id: string): Promise<FileImport> {
    return this.change(tenantId, id, async (row) => {
      if (row.state === 'done' || row.state === 'canceled' || row.state === 'failed') return null;
      await this.imports.deletePages(id, row.state === 'running' ? row.nextPage : 0);
      await this.runner.tellMade(row);
      await this.audit.record(tenantId, 'license_import.canceled', row);
      return { state: 'canceled', dueAt: null, ...RETURNED_LOCK };
    });
  }

  /** Deletes an import with its file and its codes. The licenses that it made stay. */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const row = orThrow(await this.imports.findForUpdate(tenantId, id, this.clock.now()), ImportNotFound);
      await this.imports.delete(id);
      await this.runner.tellMade(row);
      await this.audit.record(tenantId, 'license_import.deleted', row);
    });
  }

  /** Finds a tenant's import. @throws ImportNotFound */
  async find(tenantId: string, id: string): Promise<ImportRow> {
    return orThrow(await this.imports.find(tenantId, id, this.clock.now()), ImportNotFound);
  }

  /** Adds the row of a file that arrives. @throws TooManyImports */
  private async begin(tenantId: string, extensionId: string): Promise<ImportRow> {
    const base = newRow(this.clock.now());
    const row: ImportRow = {
      ...base,
      ...ZERO,
      tenantId,
      extensionId,
      state: 'uploading',
      profile: null,
      sha256: '',
      size: 0,
      lines: 0,
      pages: 0,
      actor: currentActor(),
      sealed: await this.facts.seal(base.id, NO_FACTS),
      dueAt: null,
      expiresAt: new Date(base.createdAt.getTime() + UPLOAD_MS),
      ...RETURNED_LOCK,
    };
    await this.tx.run(async () => {
      const count = () => this.imports.countOpen(tenantId, base.createdAt);
      await this.accounts.enforceLimit(tenantId, MAX_OPEN, count, TooManyImports);
      await this.imports.insert(row);
    });
    return row;
  }

  /** Keeps the rows of a file, and reads what it is. @throws CsvFault */
  private async receive(
    importId: string,
    rows: AsyncGenerator<CsvRow>,
    known: { readonly profile: ProfileName | undefined; readonly tiers: readonly string[] },
  ) {
    const head = await rows.next();
    if (head.done === true) throw invalidBody('The file is empty. Its first line must name the columns.');
    const names = head.value.cells.map(sayable);
    const profile = known.profile ?? recognize(names);
    const columns = proposeColumns(profile, names);
    const twice = columnTwice(columns, names);
    if (twice !== null) throw new CsvFault(`has the column ${JSON.stringify(twice)} twice. Rename one of them`);
    const reader = new LineReader({ profile, columns, tiers: {}, statuses: {} }, names, new Set(), this.clock.now());
    const products = new ValueCounts();
    let [lines, pages] = [0, 0];
    for await (const page of inPages(rows)) {
      lines += page.length;
      if (lines > MAX_IMPORT_LINES) throw new CsvFault(`has more than ${MAX_IMPORT_LINES} lines`);
      await this.pages.add(importId, pages, page);
      pages += 1;
      for (const { cells } of page) if (!reader.isLeftOut(cells)) products.add(reader.productOf(cells));
    }
    const tiers = proposeTiers(
      products.all.map(({ value }) => value),
      known.tiers,
    );
    return { profile, names, lines, pages, reading: { columns, tiers, statuses: {} } };
  }

  /** Records a file that has arrived whole, unless somebody has canceled or deleted its import meanwhile. */
  private async finish(
    row: ImportRow,
    { names, reading, ...file }: Awaited<ReturnType<ImportsService['receive']>> & ReceivedFile,
  ): Promise<FileImport> {
    const sealed = await this.facts.seal(row.id, { ...NO_FACTS, names, reading });
    const change = { ...file, sealed, ...this.nextOf({ ...reading, profile: file.profile }) };
    await this.tx.run(async () => {
      const now = await this.imports.findForUpdate(row.tenantId, row.id, this.clock.now());
      if (now?.state !== 'uploading') throw new ImportNotReady('canceled');
      await this.imports.change(row.id, change);
      await this.audit.record(row.tenantId, 'license_import.uploaded', row);
      this.wakeAfterCommit();
    });
    return this.show({ ...row, ...change });
  }

  /** Changes an import that no other request changes meanwhile, unless there is nothing to change. */
  private async change(
    tenantId: string,
    id: string,
    decide: (row: ImportRow) => Promise<ImportChange | null>,
  ): Promise<FileImport> {
    const changed = await this.tx.run(async () => {
      const row = orThrow(await this.imports.findForUpdate(tenantId, id, this.clock.now()), ImportNotFound);
      const change = await decide(row);
      if (change === null) return row;
      const now = this.clock.now();
      const after = { ...change, updatedAt: timeOfChange(row, now), expiresAt: new Date(now.getTime() + KEPT_MS) };
      await this.imports.change(id, after);
      this.wakeAfterCommit();
      return { ...row, ...after };
    });
    return this.show(changed);
  }

  /** What comes next for a file that is read so: its check, or that somebody says more. Whatever a worker does with it ends. */
  private nextOf(reading: Reading) {
    const now = this.clock.now();
    const isKnown = missingFields(reading).length === 0;
    return {
      state: isKnown ? ('checking' as const) : ('unread' as const),
      dueAt: isKnown ? now : null,
      expiresAt: new Date(now.getTime() + KEPT_MS),
      ...RETURNED_LOCK,
    };
  }

  private wakeAfterCommit(): void {
    this.tx.afterCommit(() => this.due.forEach((wake) => wake()));
  }

  private async show(row: ImportRow): Promise<FileImport> {
    return toFileImport(row, await this.facts.open(row));
  }
}

const NO_FACTS: ImportFacts = {
  names: [],
  reading: { columns: {}, tiers: {}, statuses: {} },
  products: [],
  statuses: [],
  firstFaults: [],
};

/** Puts rows together that one transaction imports. */
async function* inPages(rows: AsyncGenerator<CsvRow>): AsyncGenerator<readonly CsvRow[]> {
  let page: CsvRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    const length = row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (page.length === LINES_TOGETHER || (page.length > 0 && characters + length > PAGE_CHARACTERS)) {
      yield page;
      [page, characters] = [[], 0];
    }
    page.push(row);
    characters += length;
  }
  if (page.length > 0) yield page;
}

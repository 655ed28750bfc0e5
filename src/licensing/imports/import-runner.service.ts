import { Injectable } from '@nestjs/common';
import { actAs } from '../../common/access/index.js';
import { RETURNED_LOCK, Transactions, type WorkLock } from '../../common/database/index.js';
import { nextAttemptAt, type RetryPlan } from '../../common/jobs/index.js';
import { Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../common/system/index.js';
import { EventsService } from '../../registry/index.js';
import { type ImportContext, ImportLinesService, type LineResult, type ReadLine } from '../bulk/index.js';
import { ImportFactsService } from './import-facts.service.js';
import { SHOWN_FAULTS, ValueCounts, type ImportFacts } from './import-facts.js';
import { ImportPagesService, type LineFault } from './import-pages.service.js';
import { ImportsRepository, type ImportChange, type ImportRow } from './imports.repository.js';
import type { ImportState } from './license-import.entity.js';
import type { DateOrder } from './reading/dates.js';
import { LineReader } from './reading/line-reader.js';
import type { CsvRow } from './reading/read-csv.js';

/** How long an import stays after its last step, with its codes. */
export const KEPT_MS = 7 * DAY_MS;
const RENEWED_EVERY_MS = 5 * SECOND_MS;
const RETRIES: RetryPlan = { delaysMs: [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS], withinMs: 6 * HOUR_MS };
/** Pages that one import makes before others get their turn. */
const PAGES_IN_A_ROW = 10;

/** The import was canceled, deleted or taken over: its worker stops. */
class Overtaken extends Error {}

/** What the pages of one import share. */
interface Job {
  readonly lock: WorkLock;
  readonly row: ImportRow;
  readonly facts: ImportFacts;
  readonly reader: LineReader;
  readonly context: ImportContext;
}

type Counts = Pick<ImportRow, 'created' | 'existing' | 'faults' | 'skipped' | 'codes'>;

const NO_COUNTS: Counts = { created: 0, existing: 0, faults: 0, skipped: 0, codes: 0 };

/** Checks and runs imports, a page at a time. */
@Injectable()
export class ImportRunnerService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly imports: ImportsRepository,
    private readonly pages: ImportPagesService,
    private readonly lines: ImportLinesService,
    private readonly events: EventsService,
    private readonly sealing: ImportFactsService,
  ) {}

  /** Does what is due for an import that a worker has taken, or as much as it may. @param mayGoOn asked between two pages */
  async run(lock: WorkLock, mayGoOn: () => boolean): Promise<void> {
    await this.imports.locks.whileRenewed(lock, RENEWED_EVERY_MS, async () => {
      try {
        const job = await this.jobOf(lock);
        await actAs(job.row.actor, () =>
          job.row.state === 'checking' ? this.check(job, mayGoOn) : this.make(job, mayGoOn),
        );
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    });
    await this.imports.locks.giveBack(lock);
  }

  /** Has work that was interrupted tried again, or gives it up. @returns the state; null when the worker has lost the import */
  async postpone(lock: WorkLock): Promise<ImportState | null> {
    return this.tx.run(async () => {
      const row = await this.imports.findLocked(lock);
      if (row === null) return null;
      const attempts = row.attempts + 1;
      const failed = { failures: attempts, since: row.updatedAt };
      const dueAt = nextAttemptAt(RETRIES, failed, this.clock.now(), Math.random());
      const state = dueAt === null ? 'failed' : row.state;
      if (!(await this.imports.changeLocked(lock, row.nextPage, { state, dueAt, attempts, ...RETURNED_LOCK })))
        return null;
      if (dueAt === null) await this.tellMade(row);
      return state;
    });
  }

  /** Tells what an import has made that does not come to its end. */
  async tellMade({ state, extensionId, created }: ImportRow): Promise<void> {
    if (state === 'running') await this.addEvent(extensionId, created);
  }

  /** Adds one event for a whole import, which would otherwise push everything else out of the timeline. The audit log names each license. */
  private async addEvent(extensionId: string, created: number): Promise<void> {
    if (created === 0) return;
    const message = created === 1 ? '1 license was imported.' : `${created} licenses were imported.`;
    await this.events.append({ extensionId, kind: 'license_imported', message, data: { created } });
  }

  private async jobOf(lock: WorkLock): Promise<Job> {
    const row = await this.imports.findLocked(lock);
    if (row === null) throw new Overtaken();
    const facts = await this.sealing.open(row);
    const context = await this.lines.contextOf(row.tenantId, row.extensionId, row.createdAt);
    const reading = { ...facts.reading, profile: row.profile };
    const reader = new LineReader(reading, facts.names, new Set(context.plans.keys()), row.createdAt);
    return { lock, row, facts, reader, context };
  }

  /** Reads all pages and makes nothing. Begins with the first one, since only a whole look finds lines that are in the file twice. */
  private async check({ lock, row, facts, reader, context }: Job, mayGoOn: () => boolean): Promise<void> {
    const [products, statuses, firstFaults] = [new ValueCounts(), new ValueCounts(), [] as LineFault[]];
    const seen = new Map<string, number>();
    const orders = new Set<ReturnType<LineReader['dateOrderOf']>>();
    let counts = NO_COUNTS;
    await this.goTo(lock, row.nextPage, { nextPage: 0, ...NO_COUNTS });
    for (let number = 0; number < row.pages; number += 1) {
      if (!mayGoOn()) return;
      const page = await this.pageOf(row, number);
      for (const { cells } of page.rows.filter((one) => !reader.isLeftOut(one.cells))) {
        products.add(reader.productOf(cells));
        statuses.add(reader.statusOf(cells));
        orders.add(reader.dateOrderOf(cells));
      }
      const read = readRows(reader, page.rows);
      const results = await this.lines.preview(context, read.lines, seen);
      const faults = faultsOf(read.faults, results);
      firstFaults.push(...faults.slice(0, SHOWN_FAULTS - firstFaults.length));
      counts = countsAfter(counts, read.skipped, faults, results);
      const sealed = await this.pages.seal(row.id, number, { rows: page.rows, faults, codes: [] });
      await this.tx.run(async () => {
        await this.goTo(lock, number, { nextPage: number + 1, ...counts });
        await this.pages.replace(page.id, sealed);
      });
    }
    const dates = onlyOrderIn(orders);
    if (facts.reading.dates === undefined && dates !== null) {
      // Some dates could not be read before all had been seen.
      const sealed = await this.sealing.seal(row.id, { ...facts, reading: { ...facts.reading, dates } });
      return this.goTo(lock, row.pages, { sealed });
    }
    const known = {
      ...facts,
      products: products.all.map((one) => ({ ...one, tier: reader.tierOf(one.value) })),
      statuses: statuses.all.map((one) => ({ ...one, status: reader.wordOf(one.value) })),
      firstFaults,
    };
    const sealed = await this.sealing.seal(row.id, known);
    await this.goTo(lock, row.pages, { state: 'ready', sealed, ...this.ended() });
  }

  /**
   * Makes the licenses of the next pages, each in a transaction that also moves on: a crash leaves no page half done, and none twice. The import is then
   * the last one that is due, so that a long one keeps no other waiting.
   */
  private async make({ lock, row, facts, reader, context }: Job, mayGoOn: () => boolean): Promise<void> {
    let known = facts;
    let counts: Counts = row;
    const end = Math.min(row.pages, row.nextPage + PAGES_IN_A_ROW);
    for (let number = row.nextPage; number < end; number += 1) {
      if (!mayGoOn()) return;
      const page = await this.pageOf(row, number);
      const read = readRows(reader, page.rows);
      const done = await this.lines.import(context, read.lines, async (results) => {
        const faults = faultsOf(read.faults, results);
        const codes = results.flatMap(({ licenseId, code }) =>
          licenseId === null || code === null ? [] : [{ licenseId, code }],
        );
        const firstFaults = [...known.firstFaults, ...faults].slice(0, SHOWN_FAULTS);
        const after = { facts: { ...known, firstFaults }, counts: countsAfter(counts, read.skipped, faults, results) };
        const sealed = await this.sealing.seal(row.id, after.facts);
        const dueAt = this.clock.now();
        await this.goTo(lock, number, { nextPage: number + 1, sealed, dueAt, attempts: 0, ...after.counts });
        await this.pages.replace(page.id, await this.pages.seal(row.id, number, { rows: [], faults, codes }));
        return after;
      });
      [known, counts] = [done.facts, done.counts];
    }
    if (end < row.pages) return;
    await this.tx.run(async () => {
      await this.goTo(lock, row.pages, { state: 'done', ...this.ended() });
      await this.addEvent(row.extensionId, counts.created);
    });
  }

  /** @throws Overtaken when the worker has lost the import */
  private async goTo(lock: WorkLock, page: number, change: ImportChange): Promise<void> {
    const changed = await this.imports.changeLocked(lock, page, { ...change, updatedAt: this.clock.now() });
    if (!changed) throw new Overtaken();
  }

  private async pageOf({ id }: ImportRow, number: number) {
    const page = await this.pages.read(id, number);
    if (page === null) throw new Overtaken();
    return page;
  }

  private ended(): ImportChange {
    const expiresAt = new Date(this.clock.now().getTime() + KEPT_MS);
    return { dueAt: null, attempts: 0, expiresAt, ...RETURNED_LOCK };
  }
}

/** The order that dates have which could be in both; null when there are none, or the others do not tell it. */
function onlyOrderIn(orders: ReadonlySet<ReturnType<LineReader['dateOrderOf']>>): DateOrder | null {
  const told = (['day-first', 'month-first'] as const).filter((one) => orders.has(one));
  return orders.has('either') && told.length === 1 ? (told[0] ?? null) : null;
}

/** Reads rows: lines of an import, those that are none, and those that are left out. */
function readRows(reader: LineReader, rows: readonly CsvRow[]) {
  const lines: ReadLine[] = [];
  const faults: LineFault[] = [];
  for (const { line, cells } of rows) {
    const read = reader.read(cells);
    if (read !== null && 'fault' in read) faults.push({ line, message: read.fault });
    else if (read !== null) lines.push({ line, cells: read });
  }
  return { lines, faults, skipped: rows.length - lines.length - faults.length };
}

const faultsOf = (faults: readonly LineFault[], results: readonly LineResult[]): readonly LineFault[] =>
  [...faults, ...results.flatMap(({ line, message }) => (message === null ? [] : [{ line, message }]))].toSorted(
    (one, other) => one.line - other.line,
  );

function countsAfter(
  before: Counts,
  skipped: number,
  faults: readonly LineFault[],
  results: readonly LineResult[],
): Counts {
  const count = (outcome: LineResult['outcome']): number => results.filter((one) => one.outcome === outcome).length;
  return {
    created: before.created + count('created'),
    existing: before.existing + count('exists'),
    faults: before.faults + faults.length,
    skipped: before.skipped + skipped,
    codes: before.codes + results.filter(({ code }) => code !== null).length,
  };
}

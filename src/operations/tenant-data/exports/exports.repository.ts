import { Injectable } from '@nestjs/common';
import { DataSource, LessThan, MoreThan, type Repository } from 'typeorm';
import {
  IS_UNLOCKED,
  WorkLocks,
  onConstraint,
  RETURNED_LOCK,
  Transactions,
  type WorkLock,
} from '../../../common/database/index.js';
import type { PageStart } from '../../../common/fields/index.js';
import { ExportUnderWay } from '../tenant-data.problems.js';
import type { ExportedTable, Owner } from './exported-table.js';
import { exportedTables } from './exported-tables.js';
import { TenantExportEntity } from './tenant-export.entity.js';

export type TenantExportRow = Omit<TenantExportEntity, 'tenant'>;

/** An export that a worker is writing. */
export type DueExport = TenantExportRow & WorkLock;

/** The key of the last row of a page. */
export type RowKey = readonly string[];

/** Rows of a table as the archive has them, and the key from which to read the next page; null after the last. */
export interface ExportedPage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next: RowKey | null;
}

/** Few enough to hold in memory, whatever a row contains. */
const PAGE = 500;

/** Parts of the statement that selects the rows of an owner: the FROM clause, the column of the tenant's id, and the owner's columns in the order. */
const SOURCES: Readonly<Record<Owner, { from: (table: string) => string; tenant: string; key: readonly string[] }>> = {
  itself: { from: (table) => `${table} t`, tenant: 't.id', key: [] },
  tenant: { from: (table) => `${table} t`, tenant: 't.tenant_id', key: [] },
  extension: ownedBy('extension'),
  license: ownedBy('license'),
  purchase: ownedBy('purchase'),
  target: {
    from: (table) => `extension e join target o on o.extension_id = e.id join ${table} t on t.target_id = o.id`,
    tenant: 'e.tenant_id',
    key: [],
  },
};

/** Exports and their rows: the one place that reads the tables of all folders, a page at a time and by an index. */
@Injectable()
export class ExportsRepository {
  readonly locks: WorkLocks;

  constructor(
    private readonly source: DataSource,
    private readonly tx: Transactions,
  ) {
    this.locks = new WorkLocks(tx, { table: 'tenant_export', due: 'due_at', seconds: 60 });
  }

  /** Adds a pending export. @throws ExportUnderWay when the tenant has one */
  async insert(row: TenantExportRow): Promise<void> {
    await onConstraint(() => this.exports.insert(row), { tenant_export_pending_key: () => new ExportUnderWay() });
  }

  /** Returns one row more than the page holds, newest first, without those that have expired. */
  list(tenantId: string, { limit, after }: PageStart, now: Date): Promise<TenantExportRow[]> {
    return this.exports.find({
      where: { tenantId, id: LessThan(after), expiresAt: MoreThan(now) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
  }

  /** Finds a tenant's export; null when it does not exist or has expired. */
  async find(tenantId: string, id: string, now: Date): Promise<TenantExportRow | null> {
    const row = await this.exports.findOneBy({ id, tenantId });
    return row !== null && row.expiresAt > now ? row : null;
  }

  /** Takes the export that has waited longest. */
  async take(now: Date): Promise<DueExport | null> {
    const lock = await this.locks.takeDue(now, { set: 'attempts = attempts + 1' });
    if (lock === null) return null;
    const row = await this.exports.findOneBy({ id: lock.id });
    return row === null ? null : { ...row, leaseToken: lock.leaseToken };
  }

  /** Records how an attempt ended and returns the work lock. @returns false when that was lost */
  async recordResult(
    { id, leaseToken }: WorkLock,
    result: Partial<Pick<TenantExportRow, 'state' | 'dueAt' | 'size' | 'sha256' | 'expiresAt' | 'updatedAt'>>,
  ): Promise<boolean> {
    const { affected } = await this.exports.update({ id, leaseToken }, { ...result, ...RETURNED_LOCK });
    return affected === 1;
  }

  /** Finds the ids of the exports that have expired and that no worker holds. Raw SQL: work locks run by the database's clock. */
  async findExpired(now: Date): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly id: string }>(
      `select id from tenant_export where expires_at <= $1 and ${IS_UNLOCKED}`,
      [now],
    );
    return rows.map(({ id }) => id);
  }

  /** Finds the ids of all exports of a tenant. */
  async findIds(tenantId: string): Promise<readonly string[]> {
    return (await this.exports.find({ select: { id: true }, where: { tenantId } })).map(({ id }) => id);
  }

  /** Deletes an export's row, unless a worker holds it. Raw SQL for the same reason. */
  async delete(id: string): Promise<void> {
    await this.tx.query(`delete from tenant_export where id = $1 and ${IS_UNLOCKED}`, [id]);
  }

  /** Returns what an export contains, file by file. */
  tables(): readonly ExportedTable[] {
    return exportedTables(this.source.entityMetadatas);
  }

  /** Reads the rows of a table that follow a key. Raw SQL: one statement form serves all tables. */
  async readPage(
    tenantId: string,
    { table, owner, key, columns }: ExportedTable,
    after: RowKey | null,
  ): Promise<ExportedPage> {
    const source = SOURCES[owner];
    const order = [...source.key, ...key.map((column) => `t.${column}`)];
    const selected = columns.map((column) => (/^\w+$/.test(column) ? `t.${column}` : column));
    const keys = order.map((column, index) => `${column}::text as key_${index}`);
    const places = order.map((_, index) => `$${index + 2}`);
    // Compares the first column alone too, since an index serves a comparison of rows only within one table.
    const rest = after === null ? '' : ` and ${order[0]} >= $2 and (${order.join(', ')}) > (${places.join(', ')})`;
    const rows = await this.tx.query<Record<string, unknown>>(
      `select ${[...selected, ...keys].join(', ')} from ${source.from(table)}
        where ${source.tenant} = $1${rest} order by ${order.join(', ')} limit ${PAGE}`,
      [tenantId, ...(after ?? [])],
    );
    const last = rows.length < PAGE ? undefined : rows.at(-1);
    return {
      rows: rows.map((row) => named(row, order.length)),
      next: last === undefined ? null : order.map((_, index) => String(last[`key_${index}`])),
    };
  }

  /** Finds the packages and sources that a tenant's artifacts refer to. */
  async findPackages(tenantId: string): Promise<readonly { readonly sha256: string; readonly key: string }[]> {
    return this.tx.query(
      `select blob.sha256, blob.key from blob where exists (
         select from artifact a join extension e on e.id = a.extension_id
          where e.tenant_id = $1 and blob.id in (a.blob_id, a.source_blob_id))
       order by blob.sha256`,
      [tenantId],
    );
  }

  private get exports(): Repository<TenantExportEntity> {
    return this.tx.repository(TenantExportEntity);
  }
}

function ownedBy(table: 'extension' | 'license' | 'purchase') {
  return {
    from: (owned: string) => `${table} o join ${owned} t on t.${table}_id = o.id`,
    tenant: 'o.tenant_id',
    key: ['o.id'],
  };
}

/** A row without its key columns, in the names that the API uses. */
function named(row: Readonly<Record<string, unknown>>, keys: number): Record<string, unknown> {
  const columns = Object.entries(row).slice(0, -keys);
  return Object.fromEntries(columns.map(([name, value]) => [camelCase(name), value]));
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

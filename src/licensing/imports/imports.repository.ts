import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan, type Repository } from 'typeorm';
import { IS_UNLOCKED, onConstraint, Transactions, WorkLocks, type WorkLock } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { ImportNotReady } from './imports.problems.js';
import { LicenseImportEntity, LicenseImportPageEntity, type ImportState } from './license-import.entity.js';

export type ImportRow = Omit<LicenseImportEntity, 'tenant' | 'extension'>;
export type ImportPageRow = Omit<LicenseImportPageEntity, 'import'>;
export type ImportChange = Partial<Omit<ImportRow, 'id' | 'tenantId' | 'extensionId' | 'createdAt'>>;

/** States in which an import has not ended. */
const OPEN_STATES: readonly ImportState[] = ['uploading', 'unread', 'checking', 'ready', 'running'];

/** Longer than a page takes. */
const LOCK_SECONDS = 20;

/** Imports of files, and the pages of these. */
@Injectable()
export class ImportsRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'license_import', due: 'due_at', seconds: LOCK_SECONDS });
  }

  async insert(row: ImportRow): Promise<void> {
    await this.imports.insert(row);
  }

  /** Returns one row more than the page holds, newest first, without those that have expired. */
  list(
    tenantId: string,
    extensionId: string | undefined,
    { limit, after }: PageStart,
    now: Date,
  ): Promise<readonly ImportRow[]> {
    return this.imports.find({
      where: {
        tenantId,
        id: LessThan(after),
        expiresAt: MoreThan(now),
        ...(extensionId === undefined ? {} : { extensionId }),
      },
      order: { id: 'DESC' },
      take: limit + 1,
    });
  }

  /** Finds a tenant's import; null when there is none, or it has expired. */
  find(tenantId: string, id: string, now: Date): Promise<ImportRow | null> {
    return this.imports.findOneBy({ tenantId, id, expiresAt: MoreThan(now) });
  }

  findForUpdate(tenantId: string, id: string, now: Date): Promise<ImportRow | null> {
    return this.imports.findOne({
      where: { tenantId, id, expiresAt: MoreThan(now) },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Reads the import that a worker has taken; null when it has lost it. */
  findLocked({ id, leaseToken }: WorkLock): Promise<ImportRow | null> {
    return this.imports.findOneBy({ id, leaseToken });
  }

  /** Counts a tenant's imports that have not ended. */
  countOpen(tenantId: string, now: Date): Promise<number> {
    return this.imports.countBy({ tenantId, state: In([...OPEN_STATES]), expiresAt: MoreThan(now) });
  }

  async change(id: string, change: ImportChange): Promise<void> {
    await this.imports.update({ id }, change);
  }

  /** Changes an import whose page a worker has finished. @returns false when the worker has lost it: nothing was changed */
  async changeLocked({ id, leaseToken }: WorkLock, page: number, change: ImportChange): Promise<boolean> {
    const { affected } = await this.imports.update({ id, leaseToken, nextPage: page }, change);
    return affected === 1;
  }

  async delete(id: string): Promise<void> {
    await this.imports.delete({ id });
  }

  /** Deletes imports that have expired and that no worker holds. Raw SQL: work locks run by the database's clock. */
  async deleteExpired(now: Date): Promise<void> {
    await this.tx.query(`delete from license_import where expires_at <= $1 and ${IS_UNLOCKED}`, [now]);
  }

  /** @throws ImportNotReady when the import was deleted */
  async insertPage(page: ImportPageRow): Promise<void> {
    await onConstraint(() => this.pages.insert(page), {
      license_import_page_import_id_fkey: () => new ImportNotReady('canceled'),
    });
  }

  findPage(importId: string, number: number): Promise<ImportPageRow | null> {
    return this.pages.findOneBy({ importId, number });
  }

  async changePage(id: string, change: Pick<ImportPageRow, 'sealed' | 'updatedAt'>): Promise<void> {
    await this.pages.update({ id }, change);
  }

  /** Deletes the pages of an import from one on. */
  async deletePages(importId: string, from: number): Promise<void> {
    await this.pages
      .createQueryBuilder()
      .delete()
      .where('import_id = :importId and number >= :from', { importId, from })
      .execute();
  }

  private get imports(): Repository<LicenseImportEntity> {
    return this.tx.repository(LicenseImportEntity);
  }

  private get pages(): Repository<LicenseImportPageEntity> {
    return this.tx.repository(LicenseImportPageEntity);
  }
}

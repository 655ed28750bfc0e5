import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../common/database/index.js';
import type { PageStart } from '../common/fields/index.js';
import { ExtensionEntity } from './extension.entity.js';
import { DuplicateName, ExtensionNotFound } from './registry.problems.js';

/** A row without its relations. */
export type ExtensionRow = Omit<ExtensionEntity, 'tenant'>;

/** Extensions of tenants. */
@Injectable()
export class ExtensionsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds an extension. @throws DuplicateName */
  async insert(extension: ExtensionRow): Promise<void> {
    await this.unique(extension.name, () => this.rows.insert(extension));
  }

  /** Writes a changed extension. @throws DuplicateName */
  async save(extension: ExtensionEntity): Promise<void> {
    await this.unique(extension.name, () => this.rows.save(extension));
  }

  /** Deletes an extension, and by its foreign keys everything that belongs to it. */
  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /** Reads an extension of the tenant. @throws ExtensionNotFound */
  async get(tenantId: string, id: string): Promise<ExtensionEntity> {
    return this.found(await this.rows.findOneBy({ id, tenantId }));
  }

  /** Reads an extension of the tenant and locks it until the transaction ends. @throws ExtensionNotFound */
  async getForUpdate(tenantId: string, id: string): Promise<ExtensionEntity> {
    return this.found(await this.rows.findOne({ where: { id, tenantId }, lock: { mode: 'pessimistic_write' } }));
  }

  /** Locks an extension against others that lock it; rows that refer to it may still be added. @throws ExtensionNotFound */
  async lock(id: string): Promise<void> {
    const lock = { mode: 'for_no_key_update' } as const;
    this.found(await this.rows.findOne({ select: { id: true }, where: { id }, lock }));
  }

  /** Counts the tenant's extensions. */
  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId });
  }

  /** Returns one row more than the page holds, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly ExtensionEntity[]> {
    return this.rows.find({ where: { tenantId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Returns the ids and names of all extensions of the tenant, by name. */
  listNames(tenantId: string): Promise<readonly Pick<ExtensionEntity, 'id' | 'name'>[]> {
    return this.rows.find({ select: { id: true, name: true }, where: { tenantId }, order: { nameKey: 'ASC' } });
  }

  private get rows(): Repository<ExtensionEntity> {
    return this.tx.repository(ExtensionEntity);
  }

  private found(row: ExtensionEntity | null): ExtensionEntity {
    if (row === null) throw new ExtensionNotFound();
    return row;
  }

  private unique<T>(name: string, work: () => Promise<T>): Promise<T> {
    return onConstraint(work, { extension_tenant_id_name_key_key: () => new DuplicateName(name) });
  }
}

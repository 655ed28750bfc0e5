import { Injectable } from '@nestjs/common';
import { And, In, LessThan, type Repository } from 'typeorm';
import { onConstraint, Transactions, type Statement } from '../common/database/index.js';
import type { PageStart } from '../common/fields/index.js';
import type { TenantExtensions } from '../platform/access/index.js';
import { ExtensionEntity } from './extension.entity.js';
import { DuplicateName } from './registry.problems.js';

/** A row without its relations. */
export type ExtensionRow = Omit<ExtensionEntity, 'tenant'>;

/** Extensions of tenants. */
@Injectable()
export class ExtensionsRepository implements TenantExtensions {
  /** Raw SQL, since every route of an extension runs it: TypeORM would build, and PostgreSQL plan, the same statement each time. */
  private readonly finding: Statement;

  constructor(private readonly tx: Transactions) {
    const { columns } = this.rows.metadata;
    const selected = columns.map(({ databaseName, propertyName }) => `${databaseName} as "${propertyName}"`);
    this.finding = {
      name: 'find_extension',
      text: `select ${selected.join(', ')} from extension where id = $1 and tenant_id = $2`,
    };
  }

  /** Adds an extension. */
  async insert(extension: ExtensionRow): Promise<void> {
    await this.unique(extension.name, () => this.rows.insert(extension));
  }

  /** Writes a changed extension. */
  async save(extension: ExtensionEntity): Promise<void> {
    await this.unique(extension.name, () => this.rows.save(extension));
  }

  /** Deletes an extension, and by its foreign keys everything that belongs to it. */
  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  async find(tenantId: string, id: string): Promise<ExtensionRow | null> {
    const [extension = null] = await this.tx.prepared<ExtensionRow>(this.finding, [id, tenantId]);
    return extension;
  }

  findForUpdate(tenantId: string, id: string): Promise<ExtensionEntity | null> {
    return this.rows.findOne({ where: { id, tenantId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Finds an extension, and locks it against others that lock it; rows that refer to it may still be added. */
  findForNoKeyUpdate(id: string): Promise<ExtensionEntity | null> {
    return this.rows.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Finds what everybody who has an extension may know of it. */
  findPublic(id: string): Promise<Pick<ExtensionEntity, 'id' | 'tenantId' | 'name'> | null> {
    return this.rows.findOne({ select: { id: true, tenantId: true, name: true }, where: { id } });
  }

  async tenantOf(id: string): Promise<string | null> {
    return (await this.rows.findOne({ select: { id: true, tenantId: true }, where: { id } }))?.tenantId ?? null;
  }

  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId });
  }

  async hasAll(tenantId: string, ids: readonly string[]): Promise<boolean> {
    return (await this.rows.countBy({ tenantId, id: In(ids) })) === ids.length;
  }

  /** Returns one row more than the page holds, newest first. @param only the extensions to list; null for all */
  list(
    tenantId: string,
    only: readonly string[] | null,
    { limit, after }: PageStart,
  ): Promise<readonly ExtensionEntity[]> {
    const id = only === null ? LessThan(after) : And(LessThan(after), In(only));
    return this.rows.find({ where: { tenantId, id }, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Returns the ids and names of all extensions of the tenant, by name. */
  listNames(tenantId: string): Promise<readonly Pick<ExtensionEntity, 'id' | 'name'>[]> {
    return this.rows.find({ select: { id: true, name: true }, where: { tenantId }, order: { nameKey: 'ASC' } });
  }

  private get rows(): Repository<ExtensionEntity> {
    return this.tx.repository(ExtensionEntity);
  }

  private unique<T>(name: string, work: () => Promise<T>): Promise<T> {
    return onConstraint(work, { extension_tenant_id_name_key_key: () => new DuplicateName(name) });
  }
}

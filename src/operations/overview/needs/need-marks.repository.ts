import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { Transactions } from '../../../common/database/index.js';
import { NeedMarkEntity } from './need-mark.entity.js';

/** A mark without its relations. */
export type NeedMarkRow = Omit<NeedMarkEntity, 'tenant' | 'assignee'>;

/** What members said about needs. */
@Injectable()
export class NeedMarksRepository {
  constructor(private readonly tx: Transactions) {}

  /** Finds the marks of needs, with who sees to each. */
  find(tenantId: string, keys: readonly string[]): Promise<readonly NeedMarkEntity[]> {
    return this.marks.find({
      where: { tenantId, key: In([...keys]) },
      relations: { assignee: { user: true } },
    });
  }

  /** Adds a mark unless the need has one, and locks the need's. */
  async getForUpdate(row: NeedMarkRow): Promise<NeedMarkEntity> {
    await this.marks.createQueryBuilder().insert().values(row).orIgnore().execute();
    const { tenantId, key } = row;
    return this.marks.findOneOrFail({ where: { tenantId, key }, lock: { mode: 'pessimistic_write' } });
  }

  async update(id: string, change: Partial<NeedMarkRow>): Promise<void> {
    await this.marks.update({ id }, change);
  }

  /** Finds the tenants with marks that nobody changed since a time. Raw SQL: each tenant once. */
  async tenantsBefore(time: Date): Promise<readonly string[]> {
    const sql = 'select distinct tenant_id as "tenantId" from need_mark where updated_at < $1';
    const rows = await this.tx.query<Pick<NeedMarkRow, 'tenantId'>>(sql, [time]);
    return rows.map(({ tenantId }) => tenantId);
  }

  /** Deletes a tenant's marks that nobody changed since a time, but those that say who sees to these needs. Raw SQL: one statement for both. */
  async deleteBefore(tenantId: string, time: Date, standing: readonly string[]): Promise<void> {
    await this.tx.query(
      'delete from need_mark where tenant_id = $1 and updated_at < $2 and (assignee_id is null or key <> all($3::text[]))',
      [tenantId, time, standing],
    );
  }

  private get marks(): Repository<NeedMarkEntity> {
    return this.tx.repository(NeedMarkEntity);
  }
}

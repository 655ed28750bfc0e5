import { Injectable } from '@nestjs/common';
import {
  And,
  DataSource,
  LessThan,
  MoreThanOrEqual,
  type FindOperator,
  type FindOptionsWhere,
  type Repository,
} from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { firstId, type PageStart } from '../../common/fields/index.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { keptFields } from './kept-fields.js';
import type { SubjectType } from './subjects.js';

/** Filter of a tenant's entries; an absent field does not filter. */
export interface EntryFilter {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly extensionId?: string | undefined;
  /** Inclusive. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
}

/** The filters that a column must equal. */
const COMPARED = ['actorId', 'action', 'subjectType', 'subjectId', 'extensionId'] as const;

/** The driver's own statement, since entries are part of nearly every change. */
const INSERT = {
  name: 'insert_audit_entries',
  text: `
    insert into audit_entry (id, tenant_id, at, actor_kind, actor_id, actor_name, actor_role, session_id, address, country, action, subject_type,
                             subject_id, subject_name, extension_id, before, after, request_id)
    select * from json_to_recordset($1)
      as (id uuid, "tenantId" uuid, at timestamptz, "actorKind" text, "actorId" text, "actorName" text, "actorRole" text, "sessionId" uuid,
          address text, country text, action text, "subjectType" text, "subjectId" uuid, "subjectName" text, "extensionId" uuid, before jsonb,
          after jsonb, "requestId" uuid)`,
};

/** Entries of the audit log. */
@Injectable()
export class AuditEntriesRepository {
  private readonly fields: ReadonlyMap<string, readonly string[]>;

  constructor(
    source: DataSource,
    private readonly tx: Transactions,
  ) {
    this.fields = keptFields(source.entityMetadatas);
  }

  /** Returns the fields of a subject that entries keep. */
  keptFieldsOf(type: SubjectType): readonly string[] {
    return this.fields.get(type) ?? [];
  }

  /** Adds entries. */
  async insert(entries: readonly AuditEntryEntity[]): Promise<void> {
    await this.tx.prepared(INSERT, [JSON.stringify(entries)]);
  }

  /** Returns one row more than the page holds, newest first. */
  list(tenantId: string, filter: EntryFilter, { limit, after }: PageStart): Promise<readonly AuditEntryEntity[]> {
    const where = conditionOf(tenantId, filter, [LessThan(after)]);
    return this.rows.find({ where, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Counts the entries that match. */
  count(tenantId: string, filter: EntryFilter): Promise<number> {
    return this.rows.countBy(conditionOf(tenantId, filter));
  }

  /**
   * Deletes up to `most` entries from before a time, and returns how many it deleted. Raw SQL: the trigger reads the time from a setting of
   * this transaction, and TypeORM cannot delete with a limit.
   */
  async deleteBefore(time: Date, most: number): Promise<number> {
    return this.tx.run(async () => {
      await this.tx.query(`select set_config('pierhead.audit_kept_from', $1, true)`, [time.toISOString()]);
      const deleted = await this.tx.query(
        'delete from audit_entry where id in (select id from audit_entry where id < $1 order by id limit $2) returning id',
        [firstId(time), most],
      );
      return deleted.length;
    });
  }

  /** Deletes up to `most` entries of a tenant, and returns how many it deleted. Raw SQL, as above: the trigger reads the tenant from a setting. */
  async deleteOf(tenantId: string, most: number): Promise<number> {
    return this.tx.run(async () => {
      await this.tx.query(`select set_config('pierhead.audit_left_by', $1, true)`, [tenantId]);
      const deleted = await this.tx.query(
        'delete from audit_entry where id = any(array(select id from audit_entry where tenant_id = $1 limit $2)) returning id',
        [tenantId, most],
      );
      return deleted.length;
    });
  }

  private get rows(): Repository<AuditEntryEntity> {
    return this.tx.repository(AuditEntryEntity);
  }
}

/** @param after further bounds of the id, such as where a page begins */
function conditionOf(
  tenantId: string,
  filter: EntryFilter,
  after: readonly FindOperator<string>[] = [],
): FindOptionsWhere<AuditEntryEntity> {
  const { from, to } = filter;
  const bounds = [
    ...after,
    ...(from === undefined ? [] : [MoreThanOrEqual(firstId(new Date(from)))]),
    ...(to === undefined ? [] : [LessThan(firstId(new Date(to)))]),
  ];
  const given = COMPARED.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]]));
  const where = Object.fromEntries(given) as FindOptionsWhere<AuditEntryEntity>;
  return { ...where, tenantId, ...(bounds.length > 0 && { id: And(...bounds) }) };
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IS_UNLOCKED, pendingMigrations, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { InstanceTenant } from './instance.dto.js';

/** Facts about the instance from the database. */
export interface InstanceFacts {
  readonly version: string;
  readonly targetDueAt: Date | null;
  readonly deliveryDueAt: Date | null;
  readonly mailDueAt: Date | null;
  readonly inboxSince: Date | null;
  /** When the oldest open day of analytics ends. */
  readonly openDayEndsAt: Date | null;
  readonly mailSentAt: Date | null;
  readonly mailFailedAt: Date | null;
  readonly mailError: string | null;
}

/** Each value is read from one end of an index. */
const FACTS = `
  select current_setting('server_version') as version,
         (select min(next_check_at) from target_status where next_check_at is not null and ${IS_UNLOCKED}) as "targetDueAt",
         (select min(next_try_at) from notification_delivery where next_try_at is not null and ${IS_UNLOCKED}) as "deliveryDueAt",
         (select min(next_try_at) from mail where next_try_at is not null and ${IS_UNLOCKED}) as "mailDueAt",
         (select min(created_at) from inbox_item where status in ('unmapped', 'waiting')) as "inboxSince",
         (select (min(day) + 1)::timestamp at time zone 'utc' from analytics_day where closed_at is null) as "openDayEndsAt",
         (select max(updated_at) from mail where state = 'sent' and state <> 'waiting') as "mailSentAt",
         failed.updated_at as "mailFailedAt", failed.last_error as "mailError"
    from (select) as one
    left join lateral (select updated_at, last_error from mail where last_error is not null order by updated_at desc limit 1)
      as failed on true`;

/** A page of tenants, each with its counts. */
const TENANTS = `
  with page as (select id, name, quota, created_at from tenant where id < $1 order by id desc limit $2)
  select page.id, page.name, page.quota, page.quota as plan, page.created_at as "createdAt",
         (select count(*)::int from extension where tenant_id = page.id) as extensions,
         (select count(*)::int from membership where tenant_id = page.id) as members,
         (select coalesce(sum(size), 0)::float8 from (
            select sha256, size from artifact where extension_id = any(array(select id from extension where tenant_id = page.id))
            union
            select source_sha256, source_size from artifact
             where extension_id = any(array(select id from extension where tenant_id = page.id))) as contents) as "storedBytes",
         greatest((select at from audit_entry where tenant_id = page.id order by id desc limit 1),
                  (select max(last_used_at) from access_token where tenant_id = page.id)) as "lastActiveAt"
    from page order by page.id desc`;

/** Reads the tables of all folders, in raw SQL: each statement gathers what belongs to one answer. */
@Injectable()
export class InstanceRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly dataSource: DataSource,
  ) {}

  /** Lists the names of the migrations that have not run. */
  pendingMigrations(): Promise<readonly string[]> {
    return pendingMigrations(this.dataSource);
  }

  /** Reads these facts. */
  async facts(): Promise<InstanceFacts> {
    const [facts] = await this.tx.query<InstanceFacts>(FACTS);
    if (facts === undefined) throw new Error('The facts are one row');
    return facts;
  }

  /** Returns one tenant more than the page holds, newest first. */
  tenants({ limit, after }: PageStart): Promise<readonly InstanceTenant[]> {
    return this.tx.query(TENANTS, [after, limit + 1]);
  }
}

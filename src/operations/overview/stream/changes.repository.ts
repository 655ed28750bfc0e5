import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/database/index.js';
import { firstId } from '../../../common/fields/index.js';
import { Clock, MINUTE_MS } from '../../../common/system/index.js';
import type { Written } from './changes.js';

/** The longest time between getting an id or a time, by the clock of any process, and the commit of the row. */
const WINDOW_MS = MINUTE_MS;

/** SQL: it ended within the last minutes. What looks for ends writes such a row once a minute, and changes no other time in it. */
const hasEnded = (column: string): string =>
  `${column} between $4::timestamptz - interval '2 minutes' and $4::timestamptz + interval '1 minute'`;

/**
 * The rows that committed since a snapshot. Ids and times select the rows of the last minute; the database itself knows which of them the earlier
 * snapshot did not show, so that each is found once, in whatever order transactions commit. `xmin` has 32 bits: the rest comes from the
 * snapshot, which is younger than any row that it shows.
 */
const SINCE = `
  with now as materialized (
    select pg_current_snapshot() as snapshot, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax
  ), recent as (
    select tenant_id, subject_type as source, extension_id, subject_id as id, xmin::text::bigint as by_xid
      from audit_entry where id >= $3
    union all
    select extension.tenant_id, 'event', extension_id, target_id, event.xmin::text::bigint
      from event join extension on extension.id = extension_id where event.id >= $2
    union all
    select tenant_id, 'inbox_row', null, id, xmin::text::bigint from inbox_item where id >= $2
    union all
    select tenant_id, 'review_row', extension_id, id, xmin::text::bigint from store_review where updated_at >= $4
    union all
    select extension.tenant_id, 'approval_row', extension_id, approval.id, approval.xmin::text::bigint
      from approval join extension on extension.id = extension_id where approval.updated_at >= $4
    union all
    select tenant_id, 'notification', extension_id, id, xmin::text::bigint from notification where id >= $2
    union all
    select tenant_id, 'delivery_row', null, id, xmin::text::bigint from notification_delivery where id >= $2
    union all
    select tenant_id, 'delivery_row', null, id, xmin::text::bigint from notification_delivery where last_tried_at >= $4
    union all
    select tenant_id, 'license_row', extension_id, id, xmin::text::bigint from license where updated_at >= $4
    union all
    select tenant_id, 'import_row', extension_id, id, xmin::text::bigint from license_import where updated_at >= $4
    union all
    select tenant_id, 'license_row', extension_id, id, xmin::text::bigint from license
     where tenant_id = any($1) and revoked_at is null and suspended_for = '{}' and ${hasEnded('expires_at')}
    union all
    select tenant_id, 'trial_row', extension_id, id, xmin::text::bigint from trial where id >= $2
    union all
    select tenant_id, 'trial_row', extension_id, id, xmin::text::bigint from trial
     where tenant_id = any($1) and converted_at is null and ${hasEnded('ends_at')}
    union all
    select tenant_id, 'purchase_row', sold.extension_id, id, purchase.xmin::text::bigint
      from purchase
      left join lateral (
             select distinct extension_id from purchase_license join license on license.id = license_id where purchase_id = purchase.id
           ) sold on true
     where tenant_id = any($1) and updated_at >= $4
    union all
    select license.tenant_id, 'license_row', extension_id, license.id, seat.xmin::text::bigint
      from seat join license on license.id = license_id where first_seen_at >= $4
    union all
    select license.tenant_id, 'license_row', extension_id, license.id, seat.xmin::text::bigint
      from seat join license on license.id = license_id where ended_at >= $4
  ), written as (
    select tenant_id as "tenantId", source, extension_id as "extensionId",
           case when count(distinct id) = 1 then min(id::text) end as id
      from recent, now
     where tenant_id = any($1)
       and not pg_visible_in_snapshot((xmax - ((xmax - by_xid) & 4294967295))::text::xid8, $5::pg_snapshot)
     group by tenant_id, source, extension_id
  )
  select snapshot::text, (select coalesce(json_agg(written), '[]') from written) as written from now`;

/** Changes in tenants between two snapshots of the database. */
@Injectable()
export class ChangesRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what committed in tenants since a snapshot, and the snapshot to ask from next. Not prepared, so that the planner knows how few rows the
   * last minute has.
   * @param since null for the first time, when nothing is returned
   */
  async since(
    since: string | null,
    tenantIds: readonly string[],
  ): Promise<{ readonly snapshot: string; readonly written: readonly Written[] }> {
    const byClock = new Date(this.clock.now().getTime() - WINDOW_MS);
    const values = [tenantIds, firstId(new Date(Date.now() - WINDOW_MS)), firstId(byClock), byClock, since];
    const [found] = await this.tx.query<{ snapshot: string; written: readonly Written[] }>(SINCE, values);
    if (found === undefined) throw new Error('A snapshot is always found');
    return found;
  }
}

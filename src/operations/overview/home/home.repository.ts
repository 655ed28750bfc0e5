import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/database/index.js';
import { firstId } from '../../../common/fields/index.js';
import type { Displayed, Phase } from '../../../targets/index.js';
import { JOINED_USERS } from '../joined-users.js';
import type { SalesRow, TrendRow } from './figures.js';

/** An extension and one of its targets; for an extension without targets, all but the first two are null. */
export type OrderRow = Omit<Displayed, 'phase'> & {
  readonly phase: Phase | null;
  readonly extensionId: string;
  readonly installs: number | null;
  readonly users: number | null;
};

const ORDER = {
  name: 'overview_order',
  text: `
    select extension.id as "extensionId", stat_total.active::float8 as installs, users.amount as users, status.phase, target.paused,
           target.release_mode = 'manual' as "isReleasedByHand",
           coalesce(status.release_requested = status.desired_version, false) as "isReleaseRequested", status.approval
      from extension
      left join stat_total on stat_total.extension_id = extension.id and stat_total.day = $3::date
      left join target on target.extension_id = extension.id
      left join target_status status on status.target_id = target.id ${JOINED_USERS}
     where extension.tenant_id = $1 and ($2::uuid[] is null or extension.id = any($2))`,
};

/** A store that told nothing of a day on which another did counts as it last told: it is late, and has not lost its users. */
const TRENDS = {
  name: 'overview_trends',
  text: `
    select extension_id as "extensionId", 'installs' as "of", day - $2::date as day, active::float8 as amount
      from stat_total where extension_id = any($1) and day between $2::date and $3::date
    union all
    select told.extension_id, 'users', told.day - $2::date, sum(users.amount)
      from (
        select distinct target.extension_id, figure.day
          from target
          join store_figure figure on figure.target_id = target.id and figure.metric = 'users' and figure.dimension = ''
           and figure.day between $2::date and $3::date
         where target.extension_id = any($1) and target.enabled
      ) told
      join target on target.extension_id = told.extension_id and target.enabled
      cross join lateral (
        select amount from store_figure
         where target_id = target.id and metric = 'users' and dimension = '' and day <= told.day order by day desc limit 1
      ) users
     group by told.extension_id, told.day`,
};

/** Two weeks, one after the other. */
export interface Weeks {
  readonly before: Date;
  readonly from: Date;
  readonly until: Date;
}

/** A count of a week, and of the week before. */
export interface Counted {
  readonly value: number;
  readonly before: number;
}

/** Reads what the home page sorts by and adds up. Raw SQL, as in the overview's own repository. */
@Injectable()
export class HomeRepository {
  constructor(private readonly tx: Transactions) {}

  /** Returns the targets of all extensions. @param day whose installs count */
  order(tenantId: string, only: readonly string[] | null, day: string): Promise<readonly OrderRow[]> {
    return this.tx.prepared(ORDER, [tenantId, only, day]);
  }

  /** Returns what is known of each day of extensions, from the first day to the last. */
  trends(extensionIds: readonly string[], first: string, last: string): Promise<readonly TrendRow[]> {
    return this.tx.prepared(TRENDS, [extensionIds, first, last]);
  }

  /** Counts new installs of extensions; null where none has analytics. */
  async installs(
    tenantId: string,
    only: readonly string[] | null,
    { before, from, until }: Weeks,
  ): Promise<Counted | null> {
    const [row] = await this.tx.query<Counted & { readonly days: number }>(
      `select count(*)::integer as days, coalesce(sum(new) filter (where day >= $4::date), 0)::float8 as value,
              coalesce(sum(new) filter (where day < $4::date), 0)::float8 as before
         from stat_total
        where extension_id = any(array(select id from extension where tenant_id = $1 and ($2::uuid[] is null or id = any($2))))
          and day >= $3::date and day < $5::date`,
      [tenantId, only, ...[before, from, until].map(dayOf)],
    );
    return row === undefined || row.days === 0 ? null : { value: row.value, before: row.before };
  }

  /** Adds up sales and renewals less refunds and disputes. An order was changed after each of its moves. */
  sales(tenantId: string, { before, from, until }: Weeks): Promise<readonly SalesRow[]> {
    return this.tx.query(
      `select currency, at < $3 as "isBefore", sum(case when kind in ('sale', 'renewal') then value else -value end)::float8 as net
         from purchase cross join lateral jsonb_to_recordset(moves) as move(kind text, at timestamptz, value bigint, currency text)
        where tenant_id = $1 and not is_test and updated_at >= $2 and at >= $2 and at < $4
        group by currency, at < $3`,
      [tenantId, before, from, until],
    );
  }

  /** Counts licenses that were sold or given, without imported ones and tests. */
  async licenses(tenantId: string, { before, from, until }: Weeks): Promise<Counted> {
    const first = firstId(new Date(Math.min(Date.now(), before.getTime())));
    const [row] = await this.tx.query<Counted>(
      `select count(*) filter (where created_at >= $4)::integer as value, count(*) filter (where created_at < $4)::integer as before
         from license
        where tenant_id = $1 and id >= $2 and created_at >= $3 and created_at < $5 and not is_test and source not like 'import:%'`,
      [tenantId, first, before, from, until],
    );
    return row ?? { value: 0, before: 0 };
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

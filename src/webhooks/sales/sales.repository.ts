import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import type { CountedSubscriptions, SalesGroup, SummedMoves } from './sales-rows.js';

/** What an order belongs to: of several plans, to the first. */
const GROUPS: Readonly<Record<Exclude<SalesGroup, 'day'>, string>> = {
  plan: '(select plan_id::text from purchase_license where purchase_id = purchase.id order by position limit 1)',
  processor: 'purchase.processor',
  country: "purchase.paid -> 'country' ->> 'value'",
};

/** Sums over the orders of a tenant. */
@Injectable()
export class SalesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds up the moves of money from a time to before another one, by group, currency and kind. Raw SQL: it reads each move out of its order. */
  sumMoves(tenantId: string, by: SalesGroup | null, from: Date, to: Date): Promise<readonly SummedMoves[]> {
    const group = by === 'day' ? `to_char(move.at at time zone 'UTC', 'YYYY-MM-DD')` : groupOf(by);
    return this.tx.query(
      `select "group", currency, kind, sum(sign(value + 0.5))::float8 as number, sum(value)::float8 as value
         from (select ${group} as "group", move.* from purchase
                cross join lateral jsonb_to_recordset(moves) as move(kind text, at timestamptz, value bigint, currency text)
               where tenant_id = $1 and not is_test and move.at >= $2 and move.at < $3) moved
        group by "group", currency, kind`,
      [tenantId, from, to],
    );
  }

  /** Counts the subscriptions that are paid or given at a time, by group and the currency of the last payment. Raw SQL, as above. */
  countSubscriptions(
    tenantId: string,
    by: Exclude<SalesGroup, 'day'> | null,
    now: Date,
  ): Promise<readonly CountedSubscriptions[]> {
    return this.tx.query(
      `select "group", currency, count(*)::integer as number
         from (select ${groupOf(by)} as "group", paid -> 'money' -> 'value' ->> 'currency' as currency from purchase
               where tenant_id = $1 and not is_test and subscribed_until > $2) subscribed
        group by "group", currency`,
      [tenantId, now],
    );
  }

  /** Names plans by extension and tier. Raw SQL: a join. */
  async namesOf(tenantId: string, planIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (planIds.length === 0) return new Map();
    const rows = await this.tx.query<{ readonly id: string; readonly name: string }>(
      `select plan.id, extension.name || ' ' || plan.tier as name from plan join extension on extension.id = plan.extension_id
        where extension.tenant_id = $1 and plan.id = any($2)`,
      [tenantId, planIds],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

const groupOf = (by: Exclude<SalesGroup, 'day'> | null): string => (by === null ? 'null::text' : GROUPS[by]);

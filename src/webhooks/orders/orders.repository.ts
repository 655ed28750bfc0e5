import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { statusOf, type LicenseState } from '../../licensing/pure.js';
import type { ProcessorId } from '../../payments/index.js';
import { readRecord } from '../ledger/index.js';
import type { LicenseOfOrder, OrderFacts } from './order-view.js';

/** Filter of a list of orders; an absent field does not filter. */
export interface OrderFilter {
  readonly id?: string | undefined;
  readonly extension?: string | undefined;
  readonly processor?: ProcessorId | undefined;
  readonly buyer?: string | undefined;
  readonly needsAttention?: 'true' | 'false' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type LicenseRow = Omit<LicenseOfOrder, 'status'> & LicenseState & { readonly purchaseId: string };

const OPEN = "inbox_item.status in ('unmapped', 'waiting')";

/** SQL of each filter, with `?` for its value. */
const CONDITIONS: Readonly<Record<Exclude<keyof OrderFilter, 'needsAttention'>, string>> = {
  id: 'purchase.id = ?',
  extension: `exists (select from purchase_license join license on license.id = license_id
               where purchase_id = purchase.id and license.extension_id = ?)`,
  processor: 'purchase.processor = ?',
  buyer: 'purchase.buyer = ?',
  from: 'purchase.ordered_at >= ?',
  to: 'purchase.ordered_at < ?',
};

/** Makes the SQL that chooses the orders that match a filter. It has only the given conditions, so that each finds its index. */
function choose(
  tenantId: string,
  { needsAttention, ...filter }: OrderFilter,
): { readonly chosen: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [tenantId];
  const conditions = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : CONDITIONS[name as keyof typeof CONDITIONS].replace('?', () => `$${values.push(value)}`),
  );
  if (needsAttention !== undefined)
    conditions.push(
      `${needsAttention === 'true' ? '' : 'not '}exists (select from inbox_item where purchase_id = purchase.id and ${OPEN})`,
    );
  const where = ['purchase.tenant_id = $1', 'ordered_at is not null', ...conditions].join(' and ');
  return { chosen: `from purchase where ${where}`, values };
}

/** Purchases as orders. */
@Injectable()
export class OrdersRepository {
  constructor(private readonly tx: Transactions) {}

  /**
   * Lists a tenant's orders: one row more than the page holds, newest first. Raw SQL: purchases with their ids and the notification that still asks
   * for something, in one statement.
   */
  async list(
    tenantId: string,
    filter: OrderFilter,
    { limit, after }: PageStart,
    now: Date,
  ): Promise<readonly OrderFacts[]> {
    const { chosen, values } = choose(tenantId, filter);
    const rows = await this.tx.query<Omit<OrderFacts, 'licenses'>>(
      `select purchase.id, processor, paid, moves, buyer, is_test as "isTest", ordered_at as "orderedAt", unmapped,
              declined,
              (select json_build_object('status', status, 'reason', reason) from inbox_item
                where purchase_id = purchase.id and ${OPEN} order by inbox_item.id desc limit 1) as open,
              array(select ref from purchase_ref where purchase_id = purchase.id) as refs
         ${chosen} and purchase.id < $${values.length + 1}
        order by purchase.id desc limit $${values.length + 2}`,
      [...values, after, limit + 1],
    );
    const licenses = await this.licensesOf(
      rows.map(({ id }) => id),
      now,
    );
    return rows.map((row) => ({ ...row, paid: readRecord(row.paid), licenses: licenses.get(row.id) ?? [] }));
  }

  /** Counts a tenant's orders, up to `most`. Raw SQL: TypeORM counts without a limit. */
  async count(tenantId: string, filter: OrderFilter, most: number): Promise<number> {
    const { chosen, values } = choose(tenantId, filter);
    const [row] = await this.tx.query<{ readonly count: number }>(
      `select count(*)::int as count from (select ${chosen} limit $${values.length + 1}) chosen`,
      [...values, most],
    );
    return row?.count ?? 0;
  }

  /** Finds the licenses of orders, in the order in which each got them. Raw SQL: a join without an entity for each row. */
  private async licensesOf(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, readonly LicenseOfOrder[]>> {
    const found = new Map<string, readonly LicenseOfOrder[]>();
    const rows = await this.tx.query<LicenseRow>(
      `select purchase_id as "purchaseId", license.id, plan.tier, plan.id as "planId", license.extension_id as "extensionId",
              code_hint as "codeHint", is_test as "isTest", revoked_at as "revokedAt", suspended_for as "suspendedFor",
              expires_at as "expiresAt", license.grace_days as "graceDays", license.on_end as "onEnd", license.renewal_leeway_hours as "renewalLeewayHours", origin,
              passed_at as "passedAt"
         from purchase_license join license on license.id = license_id join plan on plan.id = license.plan_id
        where purchase_id = any($1) and left_at is null order by purchase_id, position`,
      [ids],
    );
    for (const { purchaseId, id, tier, planId, extensionId, codeHint, isTest, origin, passedAt, ...state } of rows) {
      const license = {
        id,
        tier,
        planId,
        extensionId,
        status: statusOf(state, now),
        codeHint,
        isTest,
        origin,
        passedAt,
      };
      found.set(purchaseId, [...(found.get(purchaseId) ?? []), license]);
    }
    return found;
  }
}

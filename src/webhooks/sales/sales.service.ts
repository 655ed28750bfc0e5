import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { dayAfter, salesRange, startOf } from './sales-range.js';
import { salesRows } from './sales-rows.js';
import type { SalesQuery, SalesSummary } from './sales.dto.js';
import { SalesRepository } from './sales.repository.js';

/** What was sold, renewed and given back. */
@Injectable()
export class SalesService {
  constructor(
    private readonly clock: Clock,
    private readonly sales: SalesRepository,
  ) {}

  /** Adds up the sales of a range of days. */
  async summarize(tenantId: string, query: SalesQuery): Promise<SalesSummary> {
    const by = query.by ?? null;
    const now = this.clock.now();
    const range = salesRange(query, now);
    const moves = await this.sales.sumMoves(tenantId, by, startOf(range.from), dayAfter(range.to));
    const subscriptions = by === 'day' ? null : await this.sales.countSubscriptions(tenantId, by, now);
    const rows = salesRows(moves, subscriptions);
    const planIds = by === 'plan' ? rows.flatMap(({ group }) => group ?? []) : [];
    const names = await this.sales.namesOf(tenantId, [...new Set(planIds)]);
    return { ...range, by, rows: rows.map((row) => ({ ...row, name: names.get(row.group ?? '') ?? null })) };
  }
}

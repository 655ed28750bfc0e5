import { Injectable } from '@nestjs/common';
import { Transactions } from '../common/database/index.js';
import type { ThrottledCalls } from '../stores/index.js';
import type { Throttles } from './planning/plan.js';
import { StoreBudgetEntity } from './store-budget.entity.js';

const COLUMNS = { all: 'not_before', uploads: 'uploads_not_before', writes: 'writes_not_before' } as const;

/** Number of calls of each credential, and the time until which a store asked to wait. */
@Injectable()
export class StoreBudgetsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Counts calls in the minute that begins at `window`. Raw SQL: processes count at once, and each call must count. */
  async count(
    credentialId: string,
    window: Date,
    calls: number,
  ): Promise<{ readonly used: number; readonly notBefore: Date | null }> {
    const [row] = await this.tx.query<{ used: number; notBefore: Date | null }>(
      `insert into store_budget as budget (credential_id, window_at, used) values ($1, $2, $3)
       on conflict (credential_id) do update
         set used = case when budget.window_at = excluded.window_at then budget.used + excluded.used else excluded.used end,
             window_at = excluded.window_at
       returning used, not_before as "notBefore"`,
      [credentialId, window, calls],
    );
    return row ?? { used: calls, notBefore: null };
  }

  /** Makes calls of a credential wait until a time, or a later one that was noted before. Raw SQL: an upsert that compares. */
  async throttle(credentialId: string, calls: ThrottledCalls | 'all', until: Date): Promise<void> {
    const column = COLUMNS[calls];
    await this.tx.query(
      `insert into store_budget as budget (credential_id, window_at, used, ${column}) values ($1, $2, 0, $2)
       on conflict (credential_id) do update set ${column} = greatest(budget.${column}, excluded.${column})`,
      [credentialId, until],
    );
  }

  /** Reads the time until which uploads and other writes of a credential must wait. */
  async throttlesOf(credentialId: string): Promise<Throttles> {
    const row = await this.tx.repository(StoreBudgetEntity).findOneBy({ credentialId });
    return { uploads: row?.uploadsNotBefore ?? null, writes: row?.writesNotBefore ?? null };
  }

  /** Lifts every waiting time of a credential. */
  async lift(credentialId: string): Promise<void> {
    const nothing = { notBefore: null, uploadsNotBefore: null, writesNotBefore: null };
    await this.tx.repository(StoreBudgetEntity).update({ credentialId }, nothing);
  }
}

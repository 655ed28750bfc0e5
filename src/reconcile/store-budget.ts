import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { Transactions } from '../common/database/index.js';

const WINDOW_MS = 60_000;

/** How often a credential may call its store in a minute, counted in the database for all processes. */
@Injectable()
export class StoreBudget {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
  ) {}

  /** Takes calls from the credential's budget. @returns null when it allows them, else when the next window begins */
  async take(credentialId: string, perMinute: number, calls = 1): Promise<Date | null> {
    const now = this.clock.now().getTime();
    const window = new Date(now - (now % WINDOW_MS));
    const [row] = await this.tx.query<{ used: number }>(
      `insert into store_budget as budget (credential_id, window_at, used) values ($1, $2, $3)
       on conflict (credential_id) do update
         set used = case when budget.window_at = excluded.window_at then budget.used + excluded.used else excluded.used end,
             window_at = excluded.window_at
       returning used`,
      [credentialId, window, calls],
    );
    return (row?.used ?? calls) > perMinute ? new Date(window.getTime() + WINDOW_MS) : null;
  }
}

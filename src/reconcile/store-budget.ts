import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Transactions } from '../common/database/index.js';
import { CredentialsService } from '../credentials/index.js';
import type { ThrottledCalls } from '../stores/index.js';
import type { Throttles } from './planning/plan.js';

const WINDOW_MS = 60_000;

const COLUMNS = { all: 'not_before', uploads: 'uploads_not_before', writes: 'writes_not_before' } as const;

/** How often a credential may call its store in a minute, counted in the database for all processes. */
@Injectable()
export class StoreBudget implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly credentials: CredentialsService,
  ) {}

  onModuleInit(): void {
    this.credentials.rotated.add(({ id }) => this.lift(id));
  }

  /**
   * Takes calls from the credential's budget.
   * @returns null when it allows them, else when the next may be made: the next minute, or the time that the store named
   */
  async take(credentialId: string, perMinute: number, calls = 1): Promise<Date | null> {
    const now = this.clock.now();
    const window = new Date(now.getTime() - (now.getTime() % WINDOW_MS));
    const [row] = await this.tx.query<{ used: number; not_before: Date | null }>(
      `insert into store_budget as budget (credential_id, window_at, used) values ($1, $2, $3)
       on conflict (credential_id) do update
         set used = case when budget.window_at = excluded.window_at then budget.used + excluded.used else excluded.used end,
             window_at = excluded.window_at
       returning used, not_before`,
      [credentialId, window, calls],
    );
    const named = row?.not_before ?? null;
    if (named !== null && named > now) return named;
    return (row?.used ?? calls) > perMinute ? new Date(window.getTime() + WINDOW_MS) : null;
  }

  /** A store throttles a credential, not an item: no such call is made with it before the time that the store named. */
  async hold(credentialId: string, calls: ThrottledCalls | 'all', until: Date): Promise<void> {
    const column = COLUMNS[calls];
    await this.tx.query(
      `insert into store_budget as budget (credential_id, window_at, used, ${column}) values ($1, $2, 0, $2)
       on conflict (credential_id) do update set ${column} = greatest(budget.${column}, excluded.${column})`,
      [credentialId, until],
    );
  }

  /** Until when the store takes no uploads or other changes with the credential; reads go on meanwhile. */
  async throttlesOf(credentialId: string): Promise<Throttles> {
    const [row] = await this.tx.query<Throttles>(
      'select uploads_not_before as uploads, writes_not_before as writes from store_budget where credential_id = $1',
      [credentialId],
    );
    return row ?? { uploads: null, writes: null };
  }

  /** Other secrets are another client to the store. */
  private async lift(credentialId: string): Promise<void> {
    await this.tx.query(
      'update store_budget set not_before = null, uploads_not_before = null, writes_not_before = null where credential_id = $1',
      [credentialId],
    );
  }
}

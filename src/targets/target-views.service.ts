import { Injectable } from '@nestjs/common';
import { may, type Caller } from '../common/access/index.js';
import { Clock } from '../common/system/index.js';
import { EventsService } from '../registry/index.js';
import { Stores } from '../stores/index.js';
import { CountedUsers } from './counted-users.js';
import type { TargetWithStatus } from './status/target-status.entity.js';
import { usualReview } from './status/reviews.js';
import { toTarget } from './target-view.js';
import type { Target } from './targets.dto.js';

/** Targets as their tenants see them. */
@Injectable()
export class TargetViewsService {
  constructor(
    private readonly clock: Clock,
    private readonly stores: Stores,
    private readonly users: CountedUsers,
    private readonly events: EventsService,
  ) {}

  /** Shows targets: with their users, as far as the caller may read figures, and with how long their reviews take. */
  async of(caller: Caller, rows: readonly TargetWithStatus[]): Promise<readonly Target[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const users = may(caller, 'analytics:read') ? await this.users.of(ids) : new Map<string, number>();
    const events = await this.events.onTheWay(ids);
    const now = this.clock.now();
    return rows.map((row) => {
      const known = { users: users.get(row.id) ?? null, usualReview: usualReview(events.get(row.id) ?? []) };
      return toTarget({ ...row, ...known }, this.stores.for(row.store), now);
    });
  }
}

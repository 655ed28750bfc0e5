import { Injectable } from '@nestjs/common';
import { may, type Caller } from '../common/access/index.js';
import { Clock } from '../common/system/index.js';
import { Stores } from '../stores/index.js';
import { CountedUsers } from './counted-users.js';
import type { TargetWithStatus } from './status/target-status.entity.js';
import { toTarget } from './target-view.js';
import type { Target } from './targets.dto.js';

/** Targets as their tenants see them. */
@Injectable()
export class TargetViewsService {
  constructor(
    private readonly clock: Clock,
    private readonly stores: Stores,
    private readonly users: CountedUsers,
  ) {}

  /** Shows targets, with the users of those that go to a share of them, as far as the caller may read figures. */
  async of(caller: Caller, rows: readonly TargetWithStatus[]): Promise<readonly Target[]> {
    const shared = rows.filter(({ status }) => status.offeredPercent !== null).map(({ id }) => id);
    const users =
      shared.length === 0 || !may(caller, 'analytics:read') ? new Map<string, number>() : await this.users.of(shared);
    const now = this.clock.now();
    return rows.map((row) => toTarget({ ...row, users: users.get(row.id) ?? null }, this.stores.for(row.store), now));
  }
}

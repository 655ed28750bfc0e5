import { Injectable } from '@nestjs/common';
import { may, type Caller } from '../../common/access/index.js';
import { LAST_ID, pageFrom, type PageStart } from '../../common/fields/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { byStore, Stores, type Store } from '../../stores/index.js';
import { channelOrNull, displayOf, rolloutOf } from '../../targets/index.js';
import { trendsOf, type Trend } from './home/figures.js';
import { HomeRepository, type OrderRow } from './home/home.repository.js';
import { byAttention, type Placed } from './home/order.js';
import { NeedsService } from './needs/needs.service.js';
import type { Overview, OverviewExtension, OverviewQuery, OverviewTarget } from './overview.dto.js';
import { OverviewRepository, type PlaceRow } from './overview.repository.js';

const TREND_DAYS = 28;

/** The state of all extensions of a tenant at all stores, and what needs attention. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly clock: Clock,
    private readonly overviews: OverviewRepository,
    private readonly home: HomeRepository,
    private readonly stores: Stores,
    private readonly needs: NeedsService,
  ) {}

  /** Shows the part of the overview that the caller may read. */
  async show(caller: Caller, query: OverviewQuery): Promise<Overview> {
    const [page, needs] = await Promise.all([
      pageFrom(
        query,
        (start) => (query.sort === 'attention' ? this.byAttention(caller, start) : this.newest(caller, start)),
        (extension) => extension,
      ),
      query.cursor === undefined ? this.needs.list(caller) : [],
    ]);
    return { needs, ...page };
  }

  private newest(caller: Caller, start: PageStart): Promise<readonly OverviewExtension[]> {
    return this.extensions(caller, caller.extensionIds, start);
  }

  /** A page follows the extension that ended the page before, wherever that stands by now; the list ends where that is gone. */
  private async byAttention(caller: Caller, { limit, after }: PageStart): Promise<readonly OverviewExtension[]> {
    const rows = await this.home.order(caller.tenantId, caller.extensionIds, this.daysAgo(1));
    const all = placedIn(rows, may(caller, 'analytics:read')).toSorted(byAttention);
    const at = all.findIndex(({ id }) => id === after);
    const from = at === -1 && after !== LAST_ID ? all.length : at + 1;
    const ids = all.slice(from, from + limit + 1).map(({ id }) => id);
    const found = await this.extensions(caller, ids, { limit: ids.length, after: LAST_ID });
    return found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  }

  /** Returns a page of extensions, newest first. @param only the extensions it is of; null for all */
  private async extensions(
    caller: Caller,
    only: readonly string[] | null,
    start: PageStart,
  ): Promise<readonly OverviewExtension[]> {
    const mayCount = may(caller, 'analytics:read');
    const rows = await this.overviews.places(caller.tenantId, only, start, this.daysAgo(1));
    const ids = [...new Set(rows.map(([id]) => id))];
    const days =
      mayCount && ids.length > 0 ? await this.home.trends(ids, this.daysAgo(TREND_DAYS), this.daysAgo(1)) : [];
    return this.extensionsIn(rows, mayCount, trendsOf(days, TREND_DAYS));
  }

  /** The UTC day so many days before today, such as 2030-01-31. */
  private daysAgo(days: number): string {
    return new Date(this.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
  }

  /** Groups rows of targets by extension. */
  private extensionsIn(
    rows: readonly PlaceRow[],
    mayCount: boolean,
    trends: ReadonlyMap<string, Trend>,
  ): readonly OverviewExtension[] {
    return groupedBy(rows, ([id]) => id).map((of) => {
      const [id, name, activeInstalls] = of[0];
      const targets = of.flatMap((row) =>
        row[3] === null ? [] : [toTarget(row, row[3], this.stores.for(row[4]), mayCount)],
      );
      return {
        id,
        name,
        activeInstalls: mayCount ? activeInstalls : null,
        users: mayCount ? sumOf(of.map(({ [USERS]: users }) => users)) : null,
        trend: trends.get(id) ?? null,
        targets: targets.toSorted(byStore),
      };
    });
  }
}

/** Where a row has the users of its target. */
const USERS = 15;

/** Groups rows by a key, in the order of the first of each. */
function groupedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly (readonly [Row, ...Row[]])[] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** The sum of what is known; null where nothing is. */
function sumOf(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

/** Groups rows of targets by extension, as their order needs them. */
const placedIn = (rows: readonly OrderRow[], mayCount: boolean): readonly Placed[] =>
  groupedBy(rows, ({ extensionId }) => extensionId).map((of) => ({
    id: of[0].extensionId,
    tones: of.flatMap(({ phase, ...row }) =>
      phase === null || phase === 'disabled' ? [] : displayOf({ phase, ...row }).tone,
    ),
    users: mayCount ? sumOf(of.map(({ users }) => users)) : null,
    installs: mayCount ? of[0].installs : null,
  }));

function toTarget(row: PlaceRow, id: string, at: Store, mayCount: boolean): OverviewTarget {
  const [, , , , store, channel, phase, phaseSince, liveVersion, submittedVersion, desiredVersion, ...more] = row;
  const [rolloutPercent, offeredPercent, offeredSince, liveByPierhead, counted, paused, ...release] = more;
  const [isReleasedByHand, isReleaseRequested, approval] = release;
  const users = mayCount ? counted : null;
  const offer = { liveVersion, desiredVersion, rolloutPercent, offeredPercent, offeredSince, liveByPierhead, users };
  return {
    id,
    store,
    channel: channelOrNull(channel),
    phase,
    phaseSince,
    liveVersion,
    submittedVersion,
    desiredVersion,
    rolloutPercent: offeredPercent,
    rollout: rolloutOf({ ...offer, paused }, at),
    paused,
    display: displayOf({ phase, paused, isReleasedByHand, isReleaseRequested, approval }),
  };
}

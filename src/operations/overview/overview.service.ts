import { Injectable } from '@nestjs/common';
import { may, mayAsSecondPerson, type Caller } from '../../common/access/index.js';
import { pageFrom, type PageQuery } from '../../common/fields/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { Processors, type ProcessorId } from '../../payments/index.js';
import { byStore, STORE_IDS, Stores, type Store, type StoreId } from '../../stores/index.js';
import { channelOrNull, displayOf, pagesAt, rolloutOf } from '../../targets/index.js';
import { needsOf, type NeedFacts } from './needs/needs.js';
import type { Overview, OverviewExtension, OverviewNeed, OverviewTarget } from './overview.dto.js';
import { OverviewRepository, type PlaceRow, type TargetRow } from './overview.repository.js';

const MAX_NEEDS = 100;
/** As early as the first notification about an expiring credential. */
const EXPIRING_WITHIN_MS = 14 * DAY_MS;

/** The state of all extensions of a tenant at all stores, and what needs attention. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly clock: Clock,
    private readonly overviews: OverviewRepository,
    private readonly stores: Stores,
    private readonly processors: Processors,
  ) {}

  /** Shows the part of the overview that the caller may read. */
  async show(caller: Caller, query: PageQuery): Promise<Overview> {
    const yesterday = new Date(this.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    const { tenantId, extensionIds } = caller;
    const [page, needs] = await Promise.all([
      pageFrom(
        query,
        async (start) => {
          const rows = await this.overviews.places(tenantId, extensionIds, start, yesterday);
          return this.extensionsIn(rows, may(caller, 'analytics:read'));
        },
        (extension) => extension,
      ),
      query.cursor === undefined ? this.needs(caller) : [],
    ]);
    return { needs, ...page };
  }

  private async needs(caller: Caller): Promise<readonly OverviewNeed[]> {
    const { tenantId, extensionIds } = caller;
    const now = this.clock.now();
    const isWhole = extensionIds === null;
    const counted = { sales: isWhole && may(caller, 'licenses:read'), notifications: isWhole };
    const until = new Date(now.getTime() + EXPIRING_WITHIN_MS);
    const [targets, approvals, credentials, waiting] = await Promise.all([
      this.overviews.targetsInNeed(tenantId, extensionIds, MAX_NEEDS),
      this.overviews.approvalsInNeed(tenantId, extensionIds, MAX_NEEDS),
      isWhole && may(caller, 'credentials:read') ? this.overviews.credentialsInNeed(tenantId, until, MAX_NEEDS) : [],
      this.overviews.waiting(tenantId, counted, now),
    ]);
    const facts: NeedFacts = {
      rights: { publish: may(caller, 'extensions:write'), rotate: may(caller, 'credentials:write') },
      targets: targets.map((row) => ({ ...row, ...this.placeOf(row) })),
      approvals: approvals.map(({ requestedById, ...row }) => ({
        ...row,
        isYours: mayAsSecondPerson(caller, 'artifacts:write', requestedById),
      })),
      credentials: credentials.map(({ provider, expiresAt, ...row }) => ({
        ...row,
        // One that is here for its test mode may expire much later.
        expiresAt: expiresAt !== null && expiresAt <= until ? expiresAt : null,
        title: this.titleOf(provider),
      })),
      ...waiting,
    };
    return needsOf(facts, now).slice(0, MAX_NEEDS);
  }

  private placeOf(row: TargetRow): { storeTitle: string; dashboard: string } {
    const store = this.stores.for(row.store);
    return { storeTitle: store.title, dashboard: pagesAt(store, row).dashboard };
  }

  private titleOf(provider: StoreId | ProcessorId): string {
    const store = STORE_IDS.find((id) => id === provider);
    return store === undefined ? this.processors.for(provider as ProcessorId).title : this.stores.for(store).title;
  }

  /** Groups rows of targets by extension. */
  private extensionsIn(rows: readonly PlaceRow[], mayCount: boolean): readonly OverviewExtension[] {
    const found = new Map<string, OverviewExtension & { readonly targets: OverviewTarget[] }>();
    for (const row of rows) {
      const [id, name, activeInstalls] = row;
      const extension = found.get(id) ?? { id, name, activeInstalls: mayCount ? activeInstalls : null, targets: [] };
      found.set(id, extension);
      if (row[3] !== null) extension.targets.push(toTarget(row, row[3], this.stores.for(row[4]), mayCount));
    }
    for (const { targets } of found.values()) targets.sort(byStore);
    return [...found.values()];
  }
}

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

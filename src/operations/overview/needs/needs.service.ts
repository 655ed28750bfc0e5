import { Injectable } from '@nestjs/common';
import { may, mayAsSecondPerson, type Caller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { Clock, DAY_MS } from '../../../common/system/index.js';
import { Processors, type ProcessorId } from '../../../payments/index.js';
import { STORE_IDS, Stores, type StoreId } from '../../../stores/index.js';
import { pagesAt } from '../../../targets/index.js';
import { OverviewRepository, type TargetRow } from '../overview.repository.js';
import type { Need } from './need.js';
import { needsOf, type NeedFacts } from './needs.js';

/** Needs that are shown. */
const MAX_NEEDS = 100;
/** Rows of a kind that are read: more than are shown, because the most urgent ones are known only then. */
const MAX_LOOKED_AT = 1000;
/** As early as the first notification about an expiring credential. */
const EXPIRING_WITHIN_MS = 14 * DAY_MS;

/** What needs attention. */
@Injectable()
export class NeedsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly overviews: OverviewRepository,
    private readonly stores: Stores,
    private readonly processors: Processors,
  ) {}

  /** Lists what needs attention, as far as the caller may read it. */
  async list(caller: Caller): Promise<readonly Need[]> {
    const { tenantId, extensionIds } = caller;
    const now = this.clock.now();
    const isWhole = extensionIds === null;
    const counted = { sales: isWhole && may(caller, 'licenses:read'), notifications: isWhole };
    const until = new Date(now.getTime() + EXPIRING_WITHIN_MS);
    const [targets, approvals, credentials, waiting, trials] = await Promise.all([
      this.overviews.targetsInNeed(tenantId, extensionIds, MAX_LOOKED_AT),
      this.overviews.approvalsInNeed(tenantId, extensionIds, MAX_LOOKED_AT),
      isWhole && may(caller, 'credentials:read')
        ? this.overviews.credentialsInNeed(tenantId, until, MAX_LOOKED_AT)
        : [],
      this.overviews.waiting(tenantId, counted, now),
      may(caller, 'licenses:read') && this.config.rateLimits === 'on'
        ? this.overviews.trialsInNeed(tenantId, extensionIds, now, this.config.trialsPerExtension)
        : [],
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
      trials,
      trialsPerExtension: this.config.trialsPerExtension,
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
}

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { addDays, dayOf } from '../analytics/index.js';
import { Transactions, type WorkLock } from '../common/database/index.js';
import { Clock } from '../common/system/index.js';
import { CredentialsService } from '../credentials/index.js';
import { StoreBudgetService } from '../reconcile/index.js';
import { StoreFailure, Stores, type StoreFigure } from '../stores/index.js';
import { channelOrNull, NewTargetsService, TargetsRepository, type TargetEntity } from '../targets/index.js';
import { FiguresRepository } from './figures/figures.repository.js';
import { nextReadingAt } from './next-reading.js';
import { ReadingsRepository } from './readings.repository.js';

/** Days of the past that are read at first, and how long figures are kept. */
const FIRST_DAYS = 90;
const KEPT_DAYS = 400;
/** Stores complete the figures of a day later: Apple says within five days, Google says nothing. */
const REVISED_DAYS = 7;
/** The calls of one reading, for the budget of the credential: past days of many countries come in pages. */
const CALLS = { ofToday: 1, ofPast: 30 } as const;

/** Reads at a store what it counts of a target's item. */
@Injectable()
export class ListingReaderService implements OnModuleInit {
  private readonly log = new Logger(ListingReaderService.name);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly newTargets: NewTargetsService,
    private readonly targets: TargetsRepository,
    private readonly credentials: CredentialsService,
    private readonly stores: Stores,
    private readonly budget: StoreBudgetService,
    private readonly readings: ReadingsRepository,
    private readonly figures: FiguresRepository,
  ) {}

  onModuleInit(): void {
    this.newTargets.added.add((targets) =>
      this.readings.insert(
        targets.map(({ id }) => id),
        this.clock.now(),
      ),
    );
  }

  /** Reads the item of a target under its work lock, and returns the lock. Failures stand in the record of the reading. */
  async read(lock: WorkLock): Promise<void> {
    const target = await this.targets.findSettings(lock.id);
    if (target === null) return;
    const now = this.clock.now();
    try {
      const figures = await this.figuresOf(target);
      await this.tx.run(async () => {
        const readAt = figures === null ? {} : { readAt: now };
        const dueAt = nextReadingAt('read', now);
        if (!(await this.readings.end(lock, { dueAt, failure: null, ...readAt }))) return;
        await this.figures.replace(target.id, figures ?? []);
        await this.figures.deleteBefore(target.id, addDays(dayOf(now), -KEPT_DAYS));
      });
    } catch (error) {
      const isStores = error instanceof StoreFailure;
      if (!isStores) this.log.error({ msg: 'figures not read', targetId: target.id, err: error });
      const failure = isStores ? error.message : 'The figures could not be read; the log says why.';
      const dueAt = nextReadingAt(isStores ? error : 'fault', now);
      await this.readings.end(lock, { dueAt, failure });
    }
  }

  /** @returns null where there is nothing to ask */
  private async figuresOf(target: TargetEntity): Promise<readonly StoreFigure[] | null> {
    const { id, store: storeId, storeItemId, credentialId, crxId, platforms, channel } = target;
    const store = this.stores.for(storeId);
    const { figures, figuresOfPast, callsPerMinute } = store.capabilities;
    if (!target.enabled || storeItemId === null || credentialId === null || figures.length === 0) return null;
    const calls = figuresOfPast ? CALLS.ofPast : CALLS.ofToday;
    const retryAt = await this.budget.take(credentialId, callsPerMinute, calls);
    if (retryAt !== null)
      throw new StoreFailure('wait', 'The calls that this credential may make are used up.', { retryAt });
    const today = dayOf(this.clock.now());
    const last = await this.figures.lastDay(id);
    const from = last === null ? addDays(today, -FIRST_DAYS) : addDays(last < today ? last : today, -REVISED_DAYS);
    const { secrets } = await this.credentials.open(credentialId);
    const item = { storeItemId, crxId, platforms, channel: channelOrNull(channel), handles: {} };
    return store.figures(secrets, item, { from, to: today });
  }
}

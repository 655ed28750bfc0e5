import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Transactions, type WorkLock } from '../common/database/index.js';
import { Clock } from '../common/system/index.js';
import { CredentialsService } from '../credentials/index.js';
import { StoreBudgetService } from '../reconcile/index.js';
import { StoreFailure, Stores } from '../stores/index.js';
import { channelOrNull, NewTargetsService, TargetsRepository, type TargetEntity } from '../targets/index.js';
import type { ItemAnswer } from './item-reader.js';
import { ItemReaders } from './item-readers.js';
import type { ListingReadingEntity } from './listing-reading.entity.js';
import { afterReading, nextReadingAt } from './next-reading.js';
import { ReadingsRepository } from './readings.repository.js';

/** Reads at a store what it tells of a target's item. */
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
    private readonly readers: ItemReaders,
  ) {}

  onModuleInit(): void {
    this.newTargets.added.add((targets) =>
      this.readings.insert(
        targets.map(({ id }) => id),
        this.clock.now(),
      ),
    );
  }

  /** Carries out a reading under its work lock, and returns the lock. Failures stand in the record of the reading. */
  async read(lock: WorkLock): Promise<void> {
    const reading = await this.readings.find(lock.id);
    const target = reading && (await this.targets.findSettings(reading.targetId));
    if (reading === null || target === null) return;
    const now = this.clock.now();
    const { everyMs } = this.readers.of[reading.kind];
    try {
      const { write, failures } = await this.ask(reading, target);
      await this.tx.run(async () => {
        const readAt = write === null ? {} : { readAt: now };
        if (await this.readings.end(lock, { ...afterReading(failures, now, everyMs), ...readAt })) await write?.();
      });
    } catch (error) {
      if (error instanceof StoreFailure) await this.readings.end(lock, afterReading([error], now, everyMs));
      else {
        this.log.error({ msg: `${reading.kind} not read`, targetId: target.id, err: error });
        const failure = `The ${reading.kind} could not be read; the log says why.`;
        await this.readings.end(lock, { dueAt: nextReadingAt('fault', now), failure });
      }
    }
  }

  private async ask(reading: ListingReadingEntity, target: TargetEntity): Promise<ItemAnswer> {
    const { store: storeId, storeItemId, credentialId, crxId, platforms, channel } = target;
    const store = this.stores.for(storeId);
    const reader = this.readers.of[reading.kind];
    const calls = reader.callsAt(store.capabilities, target);
    if (!target.enabled || storeItemId === null || credentialId === null || calls === 0)
      return { write: null, failures: [] };
    const retryAt = await this.budget.take(credentialId, store.capabilities.callsPerMinute, calls);
    if (retryAt !== null)
      throw new StoreFailure('wait', 'The calls that this credential may make are used up.', { retryAt });
    const { secrets } = await this.credentials.open(credentialId);
    const item = { storeItemId, crxId, platforms, channel: channelOrNull(channel), handles: {} };
    return reader.read({ target, store, secrets, item, reading, startedAt: this.clock.now() });
  }
}

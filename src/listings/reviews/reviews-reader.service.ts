import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Transactions } from '../../common/database/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { EventsService } from '../../registry/index.js';
import type { Capabilities, ListedReviews } from '../../stores/index.js';
import { TargetsService } from '../../targets/index.js';
import type { AskedItem, ItemAnswer, ItemReader } from '../item-reader.js';
import { DAILY_MS } from '../next-reading.js';
import { ReadingsRepository } from '../readings.repository.js';
import { changesOf } from './review-changes.js';
import { reviewId } from './review-id.js';
import { StoreReviewsRepository } from './store-reviews.repository.js';
import { lowRatingMessage } from './low-rating.js';

/** Most items have fewer reviews than so many pages hold. */
const CALLS = 10;
/** How long a review that the store no longer lists is recognized when it comes back. */
const RECOGNIZED_MS = 90 * DAY_MS;
/** How long reviews are kept of an item that is no longer read, since nobody can know whether they still stand: many times as long as between two readings. */
const UNREAD_ITEM_MS = 30 * DAY_MS;

/** Reads at a store what users wrote about an item, and tells of low ratings. */
@Injectable()
export class ReviewsReader implements ItemReader, OnModuleInit {
  readonly everyMs = DAILY_MS;

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly targets: TargetsService,
    private readonly events: EventsService,
    private readonly readings: ReadingsRepository,
    private readonly reviews: StoreReviewsRepository,
  ) {}

  onModuleInit(): void {
    this.targets.itemChanged.add(async ({ id }) => {
      await this.readings.restart(id, 'reviews', this.clock.now());
      await this.reviews.deleteOf(id);
    });
  }

  callsAt({ reviews }: Capabilities): number {
    return reviews ? CALLS : 0;
  }

  async read(asked: AskedItem): Promise<ItemAnswer> {
    const listed = await asked.store.reviews(asked.secrets, asked.item);
    return { write: listed === null ? null : () => this.write(asked, listed), failures: [] };
  }

  /** Deletes what need not be kept longer. */
  @Interval('review-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.reviews.deleteVanishedBefore(new Date(now - RECOGNIZED_MS));
    for (const targetId of await this.reviews.targetsNotReadSince(new Date(now - UNREAD_ITEM_MS)))
      await this.tx.run(async () => {
        await this.readings.restart(targetId, 'reviews', this.clock.now());
        await this.reviews.deleteOf(targetId);
      });
  }

  private async write({ target, store, reading, startedAt }: AskedItem, listed: ListedReviews): Promise<void> {
    const { id: targetId, extensionId, tenantId } = target;
    if (tenantId === null) return;
    const now = this.clock.now();
    const known = await this.reviews.findAllForUpdate(targetId);
    const { added, changed, forgotten, low } = changesOf(known, listed, {
      startedAt,
      isFirst: reading.readAt === null,
    });
    const owner = { tenantId, extensionId, targetId };
    await this.reviews.insert(
      added.map((one) => ({ ...owner, ...one, id: reviewId(one.writtenAt, now), createdAt: now, updatedAt: now })),
    );
    await this.reviews.update(changed, now);
    await this.reviews.delete(forgotten);
    if (low.length > 0)
      await this.events.append({
        extensionId,
        targetId,
        kind: 'low_rating',
        message: lowRatingMessage(store.title, low),
        data: { stars: low.map(({ stars }) => stars) },
      });
  }
}

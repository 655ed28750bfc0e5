import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { pageFrom, readPage, type Page } from '../../common/fields/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { Stores } from '../../stores/index.js';
import { pagesAt } from '../../targets/index.js';
import { LOW_STARS } from './review-changes.js';
import { toReview } from './review-view.js';
import type { ListReviews, ReadReviews, Review, ReviewsRead, ReviewSummary } from './reviews.dto.js';
import { ReviewNotFound } from './reviews.problems.js';
import { StoreReviewsRepository, type ReviewRow } from './store-reviews.repository.js';

/** What users wrote about a tenant's extensions at stores. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly stores: Stores,
    private readonly reviews: StoreReviewsRepository,
  ) {}

  /** Lists reviews that stand, by the time at which they were written, newest first. */
  async list(tenantId: string, query: ListReviews): Promise<Page<Review>> {
    if (query.extension !== undefined) await this.extensions.getOrThrow(tenantId, query.extension);
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return pageFrom(
      query,
      (start) => this.reviews.list(tenantId, filter, start),
      (row) => this.show(row),
    );
  }

  /** Counts what is unread, and says how each reading went. */
  async summarize(tenantId: string, extensionId: string | null): Promise<ReviewSummary> {
    if (extensionId !== null) await this.extensions.getOrThrow(tenantId, extensionId);
    const readings = await this.reviews.readingsOf(tenantId, extensionId);
    return {
      ...(await this.reviews.countUnread(tenantId, extensionId, LOW_STARS)),
      readings: readings.map((row) => ({ ...row, isTold: this.stores.for(row.store).capabilities.reviews })),
    };
  }

  /** Finds a review that stands. @throws ReviewNotFound */
  async find(tenantId: string, id: string): Promise<ReviewRow> {
    const [row] = await this.reviews.list(tenantId, { id }, readPage({ limit: 1 }));
    return orThrow(row, ReviewNotFound);
  }

  async get(tenantId: string, id: string): Promise<Review> {
    return this.show(await this.find(tenantId, id));
  }

  /** Marks a review as read, or as unread again. Idempotent. */
  async mark(tenantId: string, id: string, isRead: boolean): Promise<Review> {
    return this.tx.run(async () => {
      const row = await this.find(tenantId, id);
      const now = this.clock.now();
      if ((row.readAt !== null) === isRead) return this.show(row);
      await this.reviews.mark(id, isRead ? now : null, now);
      return this.get(tenantId, id);
    });
  }

  /** Marks all unread reviews as read, or those of one extension or store. */
  async markAll(tenantId: string, { extensionId, store }: ReadReviews): Promise<ReviewsRead> {
    if (extensionId !== undefined) await this.extensions.getOrThrow(tenantId, extensionId);
    return {
      count: await this.reviews.markAll(tenantId, extensionId ?? null, store ?? null, this.clock.now()),
    };
  }

  private show(row: ReviewRow): Review {
    const store = this.stores.for(row.store);
    return toReview(row, store, pagesAt(store, row));
  }
}

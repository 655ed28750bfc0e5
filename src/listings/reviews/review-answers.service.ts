import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { countCharacters } from '../../common/net/index.js';
import { InvalidRequest, orThrow } from '../../common/problems/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { StoreBudgetService } from '../../reconcile/index.js';
import { StoreFailure, Stores, type Store } from '../../stores/index.js';
import { channelOrNull, TargetsRepository } from '../../targets/index.js';
import { ReadingsRepository } from '../readings.repository.js';
import { answerUrlOf } from './review-view.js';
import type { Review } from './reviews.dto.js';
import {
  ReviewAnswerRefused,
  ReviewAnswersUnsupported,
  ReviewAnswerUnconfirmed,
  ReviewNotFound,
} from './reviews.problems.js';
import { ReviewsService } from './reviews.service.js';
import { StoreReviewsRepository, type AnswerColumns, type ReviewRow } from './store-reviews.repository.js';

/** After a change of an answer, the reviews are read again: the store may have lost it, or published it. */
const READ_AGAIN_MS = 5 * MINUTE_MS;
/** A look at what is there, and the change. */
const CALLS = 2;
const NO_ANSWER: AnswerColumns = { answer: null, answerState: null };

/** Answers reviews at stores that take answers by their API. */
@Injectable()
export class ReviewAnswersService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly stores: Stores,
    private readonly targets: TargetsRepository,
    private readonly credentials: CredentialsService,
    private readonly budget: StoreBudgetService,
    private readonly readings: ReadingsRepository,
    private readonly reviewsService: ReviewsService,
    private readonly reviews: StoreReviewsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Answers a review, in place of an earlier answer. The same again changes nothing. */
  async answer(tenantId: string, id: string, text: string): Promise<Review> {
    const row = await this.reviewsService.find(tenantId, id);
    const store = this.stores.for(row.store);
    const most = mostCharacters(row, store);
    if (countCharacters(text) > most)
      throw new InvalidRequest([{ field: 'text', message: `must have at most ${most} characters at this store.` }]);
    const isSettled = row.answer === text && (row.answerState === 'pending' || row.answerState === 'published');
    if (!isSettled) await this.change(row, store, text);
    return this.reviewsService.get(tenantId, id);
  }

  /** Takes an answer back; there may be none. */
  async withdraw(tenantId: string, id: string): Promise<void> {
    const row = await this.reviewsService.find(tenantId, id);
    const store = this.stores.for(row.store);
    mostCharacters(row, store);
    if (row.answer !== null) await this.change(row, store, null);
  }

  /** Records the intent, asks the store, and records what it said. */
  private async change(row: ReviewRow, store: Store, text: string | null): Promise<void> {
    const call = await this.prepare(row, store, text);
    const asked = await this.begin(row, text);
    try {
      const told = await call();
      await this.settle(row, asked, told === null ? NO_ANSWER : { answer: told.text, answerState: told.state });
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const { message, details } = error;
      const now = this.clock.now();
      if (!isRefusal(details.status))
        throw new ReviewAnswerUnconfirmed(message, now, details.retryAt ?? new Date(now.getTime() + MINUTE_MS));
      await this.settle(row, asked, { answer: row.answer, answerState: row.answerState });
      throw new ReviewAnswerRefused(message);
    }
  }

  /** @returns the call, once nothing stands in its way */
  private async prepare(row: ReviewRow, store: Store, text: string | null) {
    const target = orThrow(await this.targets.findSettings(row.targetId), ReviewNotFound);
    const { storeItemId, credentialId, crxId, platforms, channel } = target;
    if (storeItemId === null || credentialId === null)
      throw new ReviewAnswerRefused('The target has no item or no credential.');
    const now = this.clock.now();
    const retryAt = await this.budget.take(credentialId, store.capabilities.callsPerMinute, CALLS);
    if (retryAt !== null)
      throw new ReviewAnswerUnconfirmed('It was not asked: the calls of its credential are used up.', now, retryAt);
    const { secrets } = await this.credentials.open(credentialId);
    const item = { storeItemId, crxId, platforms, channel: channelOrNull(channel), handles: {} };
    return () => store.answerReview(secrets, item, row.storeReviewId, text);
  }

  private begin({ id, tenantId, targetId }: ReviewRow, text: string | null): Promise<AnswerColumns> {
    return this.tx.run(async () => {
      const now = this.clock.now();
      const locked = orThrow(await this.reviews.findForUpdate(id), ReviewNotFound);
      const asked: AnswerColumns =
        text === null
          ? { answer: locked.answer, answerState: 'withdrawing' }
          : { answer: text, answerState: 'sending' };
      await this.reviews.setAnswer(id, asked, now);
      await this.readings.makeDue(targetId, 'reviews', new Date(now.getTime() + READ_AGAIN_MS));
      await this.audit.record(tenantId, text === null ? 'review.answer_withdrawn' : 'review.answered', locked);
      return asked;
    });
  }

  private settle({ id }: ReviewRow, asked: AnswerColumns, told: AnswerColumns): Promise<void> {
    return this.reviews.settleAnswer(id, asked, told, this.clock.now());
  }
}

/** Whether the store has certainly changed nothing. After any other failure it may have taken the answer. */
const isRefusal = (status = 0): boolean => status >= 400 && status < 500 && status !== 408;

/** @throws ReviewAnswersUnsupported where the API of the store takes no answer */
function mostCharacters(row: ReviewRow, store: Store): number {
  const most = store.capabilities.reviewAnswerMaxLength;
  if (most === null) throw new ReviewAnswersUnsupported(store.title, answerUrlOf(row, store));
  return most;
}

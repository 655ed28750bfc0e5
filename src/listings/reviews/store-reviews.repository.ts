import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { StoreId } from '../../stores/index.js';
import type { AnswerState } from './answer-state.js';
import type { KnownReview } from './review-changes.js';
import { StoreReviewEntity } from './store-review.entity.js';

/** Filter of a list of reviews; an absent field does not filter. */
export interface ReviewFilter {
  readonly id?: string | undefined;
  readonly extension?: string | undefined;
  readonly store?: StoreId | undefined;
  readonly maxStars?: number | undefined;
  readonly unread?: 'true' | 'false' | undefined;
  readonly answered?: 'true' | 'false' | undefined;
}

type Columns = Omit<StoreReviewEntity, 'tenant' | 'extension' | 'target'>;

/** A review with what its pages depend on. */
export interface ReviewRow extends Columns {
  readonly store: StoreId;
  readonly storeItemId: string | null;
  readonly crxId: string | null;
  readonly channel: string;
  readonly account: string | null;
}

/** How the reading of a target's reviews went. */
export interface ReviewReadingRow {
  readonly targetId: string;
  readonly extensionId: string;
  readonly store: StoreId;
  readonly readAt: Date | null;
  readonly failure: string | null;
}

/** SQL of each filter, with `?` for its value. */
const CONDITIONS: Readonly<Record<keyof ReviewFilter, string>> = {
  id: 'review.id = ?',
  extension: 'review.extension_id = ?',
  store: 'target.store = ?',
  maxStars: 'review.stars <= ?',
  unread: "(review.read_at is null) = (? = 'true')",
  answered: "(review.answer is not null) = (? = 'true')",
};

/** What users wrote at stores. Lists have the reviews that stand; those that stores no longer list are only recognized. */
@Injectable()
export class StoreReviewsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Lists a tenant's reviews: one row more than the page holds, newest first. Raw SQL: reviews with what their pages depend on, in one statement. */
  list(tenantId: string, filter: ReviewFilter, { limit, after }: PageStart): Promise<readonly ReviewRow[]> {
    const values: unknown[] = [tenantId, after, limit + 1];
    const conditions = Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [CONDITIONS[name as keyof ReviewFilter].replace('?', () => `$${values.push(value)}`)],
    );
    return this.tx.query<ReviewRow>(
      `select review.id, review.created_at as "createdAt", review.updated_at as "updatedAt", review.tenant_id as "tenantId",
              review.extension_id as "extensionId", target_id as "targetId", store_review_id as "storeReviewId", stars, title, text,
              author, version, territory, written_at as "writtenAt", edited_at as "editedAt", read_at as "readAt", answer,
              answer_state as "answerState", answered_at as "answeredAt", vanished_at as "vanishedAt", target.store,
              store_item_id as "storeItemId", crx_id as "crxId", channel, credential.account
         from store_review as review
         join target on target.id = target_id
         left join credential on credential.id = credential_id
        where review.tenant_id = $1 and review.id < $2 and vanished_at is null
          ${conditions.map((condition) => `and ${condition}`).join(' ')}
        order by review.id desc limit $3`,
      values,
    );
  }

  /** Counts unread reviews: of one extension, or of all. Raw SQL: two counts of one scan. */
  async countUnread(
    tenantId: string,
    extensionId: string | null,
    lowStars: number,
  ): Promise<{ readonly unread: number; readonly unreadLow: number }> {
    const [row] = await this.tx.query<{ readonly unread: number; readonly unreadLow: number }>(
      `select count(*)::int as unread, (count(*) filter (where stars <= $3))::int as "unreadLow"
         from store_review
        where tenant_id = $1 and ($2::uuid is null or extension_id = $2) and read_at is null and vanished_at is null`,
      [tenantId, extensionId, lowStars],
    );
    return row ?? { unread: 0, unreadLow: 0 };
  }

  /** Returns how the reading of each complete target's reviews went. Raw SQL: a join of three tables in one statement. */
  readingsOf(tenantId: string, extensionId: string | null): Promise<readonly ReviewReadingRow[]> {
    return this.tx.query<ReviewReadingRow>(
      `select target.id as "targetId", extension_id as "extensionId", store, read_at as "readAt", failure
         from target join extension on extension.id = extension_id
         join listing_reading on target_id = target.id and kind = 'reviews'
        where extension.tenant_id = $1 and ($2::uuid is null or extension_id = $2) and enabled
          and store_item_id is not null and credential_id is not null
        order by target.id`,
      [tenantId, extensionId],
    );
  }

  /** Finds all that is known of a target's reviews, and locks it until the transaction ends. */
  findAllForUpdate(targetId: string): Promise<readonly StoreReviewEntity[]> {
    return this.reviews.find({ where: { targetId }, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
  }

  /** Finds a review that stands, and locks it until the transaction ends. */
  findForUpdate(id: string): Promise<StoreReviewEntity | null> {
    return this.reviews
      .createQueryBuilder('review')
      .where('review.id = :id and review.vanished_at is null', { id })
      .setLock('pessimistic_write')
      .getOne();
  }

  async insert(rows: readonly Columns[]): Promise<void> {
    for (const batch of batchesOf(rows)) await this.reviews.insert(batch);
  }

  /** Writes reviews that are locked. */
  async update(rows: readonly KnownReview[], updatedAt: Date): Promise<void> {
    for (const { id, ...row } of rows) await this.reviews.update({ id }, { ...row, updatedAt });
  }

  async delete(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.reviews.delete({ id: In([...ids]) });
  }

  async deleteOf(targetId: string): Promise<void> {
    await this.reviews.delete({ targetId });
  }

  /** Deletes what stores have not listed since before a time. */
  async deleteVanishedBefore(time: Date): Promise<void> {
    await this.reviews.delete({ vanishedAt: LessThan(time) });
  }

  /** Returns targets with reviews whose store has not told any since a time. Raw SQL: a join without an entity for each row. */
  async targetsNotReadSince(time: Date): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly targetId: string }>(
      `select target_id as "targetId" from listing_reading as reading
        where kind = 'reviews' and read_at < $1 and exists (select from store_review where target_id = reading.target_id)`,
      [time],
    );
    return rows.map(({ targetId }) => targetId);
  }

  /** Marks a review as read, or as unread again. */
  async mark(id: string, readAt: Date | null, now: Date): Promise<void> {
    await this.reviews.update({ id }, { readAt, updatedAt: now });
  }

  /** Marks unread reviews as read: of one extension, or all, and none that was seen later. Raw SQL: one statement. @returns how many */
  async markAll(tenantId: string, extensionId: string | null, store: StoreId | null, now: Date): Promise<number> {
    const rows = await this.tx.query(
      `update store_review as review set read_at = $4, updated_at = $4 from target
        where review.tenant_id = $1 and target.id = target_id and ($2::uuid is null or review.extension_id = $2)
          and ($3::text is null or store = $3) and read_at is null and vanished_at is null returning 1`,
      [tenantId, extensionId, store, now],
    );
    return rows.length;
  }

  /** Sets the answer of a review that is locked. */
  async setAnswer(id: string, answer: AnswerColumns, now: Date): Promise<void> {
    await this.reviews.update({ id }, { ...answer, answeredAt: now, updatedAt: now });
  }

  /** Records what the store said about an answer, unless it was changed meanwhile. */
  async settleAnswer(id: string, asked: AnswerColumns, told: AnswerColumns, now: Date): Promise<void> {
    const { answer, answerState } = asked;
    const same = { id, ...(answer === null ? {} : { answer }), ...(answerState === null ? {} : { answerState }) };
    await this.reviews.update(same, { ...told, answeredAt: now, updatedAt: now });
  }

  private get reviews() {
    return this.tx.repository(StoreReviewEntity);
  }
}

/** An answer as a review has it. */
export interface AnswerColumns {
  readonly answer: string | null;
  readonly answerState: AnswerState | null;
}

/** A statement takes 65,535 values. */
const BATCH = 500;

function* batchesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
}

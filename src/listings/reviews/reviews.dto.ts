import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceField,
  EXAMPLE,
  IdField,
  IntQuery,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NULLABLE_VERSION,
  PageQuery,
  TextField,
} from '../../common/fields/index.js';
import { STORE_IDS, type StoreId } from '../../stores/index.js';
import { ANSWER_STATES, type AnswerState } from './answer-state.js';

/** Filter of a list of reviews. */
export class ListReviews extends PageQuery {
  @IdField({ description: 'Lists only reviews of this extension.', optional: true })
  extension?: string;

  @ChoiceField({ description: 'Lists only reviews at this store.', of: STORE_IDS, optional: true })
  store?: StoreId;

  @IntQuery({
    description: 'Lists only reviews with at most so many stars.',
    min: 1,
    max: 5,
    optional: true,
    example: 2,
  })
  maxStars?: number;

  @ChoiceField({ description: 'Lists only unread reviews, or only the others.', of: ['true', 'false'], optional: true })
  unread?: 'true' | 'false';

  @ChoiceField({
    description:
      'Lists only reviews with an answer, or only those of which Pierhead knows none. Chrome tells no answers.',
    of: ['true', 'false'],
    optional: true,
  })
  answered?: 'true' | 'false';
}

/** The extension whose reviews are counted. */
export class SummarizeReviews {
  @IdField({ description: 'Counts only reviews of this extension.', optional: true, example: EXAMPLE.id })
  extension?: string;
}

/** Which reviews are marked as read. */
export class ReadReviews {
  @IdField({ description: 'Only reviews of this extension.', optional: true })
  extensionId?: string;

  @ChoiceField({ description: 'Only reviews at this store.', of: STORE_IDS, optional: true })
  store?: StoreId;
}

/** An answer to a review. */
export class AnswerReview {
  @TextField({
    description: 'The answer, which the store shows to everybody. Stores limit its length (`reviewAnswerMaxLength`).',
    max: 10_000,
    example: 'Thank you! Version 1.4.1 mends this.',
  })
  text!: string;
}

/** The author's answer to a review. */
export class ReviewAnswerView {
  @ApiProperty({ description: 'The answer.', example: 'Thank you! Version 1.4.1 mends this.' })
  text!: string;

  @ApiProperty({
    enum: ANSWER_STATES,
    description:
      '`sending`, `withdrawing`: the store has not confirmed it; Pierhead asks within minutes. `pending`: the store has it, and shows it soon. `published`: users see it.',
  })
  state!: AnswerState;
}

/** What a user wrote about an extension at a store. */
export class Review {
  @ApiProperty({ format: 'uuid', description: 'Id of the review.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5, description: 'Stars, from 1 to 5.', example: 2 })
  stars!: number;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Its title; null where the store has none.',
    example: 'Stopped working',
  })
  title!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Its text; null for stars alone.',
    example: 'Since the update it counts no tabs.',
  })
  text!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The name under which it was written.', example: 'Ann' })
  author!: string | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The version that it is about; null where the store does not say.' })
  version!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Where it was written; null where the store does not say.',
    example: 'CHE',
  })
  territory!: string | null;

  @ApiProperty({ description: 'When it was written, as the store says.' })
  writtenAt!: Date;

  @ApiProperty({ description: 'When Pierhead first saw it.' })
  createdAt!: Date;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When Pierhead noticed that it was edited; null for never.' })
  editedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When somebody marked it as read; null while it is unread.' })
  readAt!: Date | null;

  @ApiProperty({
    type: ReviewAnswerView,
    nullable: true,
    description: 'The answer; null for none, and where the store tells none, such as Chrome.',
  })
  answer!: ReviewAnswerView | null;

  @ApiProperty({ description: 'Pierhead can send an answer to the store. Otherwise a person answers at `answerUrl`.' })
  isAnswerable!: boolean;

  @ApiProperty({ description: 'Where a person answers it at the store, as near as the ids lead.', format: 'uri' })
  answerUrl!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'uri',
    description: 'The public listing; null where its address is not known.',
  })
  listingUrl!: string | null;
}

/** How the reading of a target's reviews went. */
export class ReviewReading {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({ description: 'The store tells reviews by its API.' })
  isTold!: boolean;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the store last told them; null while it never has.' })
  readAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why the last reading failed, in a sentence; null when it did not.',
    example: null,
  })
  failure!: string | null;
}

/** What there is to look at. */
export class ReviewSummary {
  @ApiProperty({ type: 'integer', description: 'Unread reviews.', example: 7 })
  unread!: number;

  @ApiProperty({ type: 'integer', description: 'Of those, the ones with two stars or fewer.', example: 2 })
  unreadLow!: number;

  @ApiProperty({ type: [ReviewReading], description: 'One entry for each complete target.' })
  readings!: readonly ReviewReading[];
}

/** How many reviews were marked. */
export class ReviewsRead {
  @ApiProperty({ type: 'integer', description: 'Reviews that were unread before.', example: 7 })
  count!: number;
}

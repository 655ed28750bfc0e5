import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inBody, inPath, inQuery, type Caller } from '../../common/access/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { ReviewAnswersService } from './review-answers.service.js';
import {
  AnswerReview,
  ListReviews,
  ReadReviews,
  Review,
  ReviewsRead,
  ReviewSummary,
  SummarizeReviews,
} from './reviews.dto.js';
import {
  ReviewAnswerRefused,
  ReviewAnswersUnsupported,
  ReviewAnswerUnconfirmed,
  ReviewNotFound,
} from './reviews.problems.js';
import { ReviewsService } from './reviews.service.js';
import { StoreReviewEntity } from './store-review.entity.js';

/** What users wrote about extensions at stores. */
@ApiTags('reviews')
@Controller('reviews')
export class ReviewsController {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly answers: ReviewAnswersService,
  ) {}

  @ApiOperation({
    summary:
      "Lists users' reviews at the stores, newest first. What a store no longer lists is gone with the next reading.",
  })
  @Get()
  @Bearer('extensions:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(Review) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListReviews): Promise<Page<Review>> {
    return this.reviews.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Counts unread reviews, and says when each store last told its reviews, or why not.' })
  @Get('summary')
  @Bearer('extensions:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ReviewSummary })
  summarize(@CurrentCaller() caller: Caller, @Query() { extension }: SummarizeReviews): Promise<ReviewSummary> {
    return this.reviews.summarize(caller.tenantId, extension ?? null);
  }

  @ApiOperation({ summary: 'Marks all unread reviews as read, or those of one extension or store.' })
  @Post('read')
  @HttpCode(200)
  @Bearer('extensions:write', inBody('extensionId'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ReviewsRead })
  markAll(@CurrentCaller() caller: Caller, @Body() which: ReadReviews): Promise<ReviewsRead> {
    return this.reviews.markAll(caller.tenantId, which);
  }

  @ApiOperation({ summary: 'Retrieves a review.' })
  @Get(':id')
  @Bearer('extensions:read', inPath('id', StoreReviewEntity))
  @Throws(ReviewNotFound)
  @ApiOkResponse({ type: Review })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Review> {
    return this.reviews.get(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Marks a review as read. One that its user edits is unread again. Idempotent.' })
  @Post(':id/read')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id', StoreReviewEntity))
  @Throws(ReviewNotFound)
  @ApiOkResponse({ type: Review })
  markRead(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Review> {
    return this.reviews.mark(caller.tenantId, id, true);
  }

  @ApiOperation({ summary: 'Marks a review as unread. Idempotent.' })
  @Post(':id/unread')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id', StoreReviewEntity))
  @Throws(ReviewNotFound)
  @ApiOkResponse({ type: Review })
  markUnread(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Review> {
    return this.reviews.mark(caller.tenantId, id, false);
  }

  @ApiOperation({
    summary:
      'Answers a review publicly at the store, in place of an earlier answer. However often it is called, the review has one answer. Other stores than the App Store take answers on their website only.',
  })
  @Post(':id/answer')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id', StoreReviewEntity))
  @Throws(ReviewNotFound, ReviewAnswersUnsupported, ReviewAnswerRefused, ReviewAnswerUnconfirmed)
  @ApiOkResponse({ type: Review })
  answer(@CurrentCaller() caller: Caller, @IdParam() id: string, @Body() { text }: AnswerReview): Promise<Review> {
    return this.answers.answer(caller.tenantId, id, text);
  }

  @ApiOperation({ summary: 'Takes the answer to a review back. There may be none.' })
  @Delete(':id/answer')
  @HttpCode(204)
  @Bearer('extensions:write', inPath('id', StoreReviewEntity))
  @Throws(ReviewNotFound, ReviewAnswersUnsupported, ReviewAnswerRefused, ReviewAnswerUnconfirmed)
  @ApiNoContentResponse()
  withdraw(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<void> {
    return this.answers.withdraw(caller.tenantId, id);
  }
}

import { ApiProperty } from '@nestjs/swagger';
import type { UsualReview } from './reviews.js';

/** How long reviews of an item usually take: one in ten is quicker, and one in ten slower. */
export class UsualReviewView implements UsualReview {
  @ApiProperty({ type: 'integer', description: 'The shorter end, in seconds.', example: 10_800 })
  fromSeconds!: number;

  @ApiProperty({ type: 'integer', description: 'The longer end, in seconds.', example: 172_800 })
  toSeconds!: number;

  @ApiProperty({ type: 'integer', description: 'Number of reviews that this is drawn from.', example: 12 })
  reviews!: number;
}

import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_INTEGER, NULLABLE_TEXT, NULLABLE_TIME } from '../../common/fields/index.js';
import type { RolloutState } from './rollout.js';

/** A version that a store offers to a share of the users. */
export class Rollout implements RolloutState {
  @ApiProperty({ description: 'The version.', example: '2.2.0' })
  version!: string;

  @ApiProperty({
    type: 'integer',
    description: 'The percentage of users that get it, as the store answered.',
    example: 10,
  })
  percent!: number;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The percentage that Pierhead is about to ask the store for; null for none.',
  })
  asked!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The users that the store last counted; null when not known.',
    example: 48_000,
  })
  users!: number | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the store first showed this share of this version.' })
  since!: Date | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Larger percentages that rolloutPercent can be set to now; none where it cannot be raised.',
    example: [25, 50, 100],
  })
  steps!: readonly number[];

  @ApiProperty({ description: 'Whether any larger percentage is accepted, not the steps alone.' })
  anyPercent!: boolean;

  @ApiProperty({ description: 'Whether pausing the target keeps the share where it is.' })
  canHalt!: boolean;

  @ApiProperty({ description: 'Whether the version before it can be brought back under a new number.' })
  canRollBack!: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why the share cannot be raised now, or that it rises by itself; null for neither.',
    example: 'App Store raises the share by itself, and only its dashboard can pause that.',
  })
  note!: string | null;
}

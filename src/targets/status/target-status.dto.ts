import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  EXAMPLE,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NULLABLE_VERSION,
} from '../../common/fields/index.js';
import { PHASES, REQUIRED_SETTINGS, type Phase } from './phase.js';
import { TARGET_HEALTHS, type TargetHealthState } from './target-health.js';

export const LIVE_VERSION = { ...NULLABLE_TEXT, example: '1.3.2' } as const;

/** Whether a target gets on. */
export class TargetHealth implements TargetHealthState {
  @ApiProperty({
    enum: TARGET_HEALTHS,
    description:
      'failing: the last three attempts or more failed; stalled: the version makes no progress; overdue: Pierhead should have checked the store an hour ago.',
  })
  state!: TargetHealthState['state'];

  @ApiProperty({ ...NULLABLE_TIME, description: 'Since when; null for `ok`, and when unknown.' })
  at!: Date | null;
}

/** One platform of a target whose store keeps versions per platform. */
class PlatformStatus {
  @ApiProperty({ description: 'The platform.', example: 'macos' })
  platform!: string;

  @ApiProperty({ enum: PHASES, description: 'The phase of the platform.' })
  phase!: Phase;

  @ApiProperty({ ...LIVE_VERSION, description: 'The version that users get; null when none is known.' })
  liveVersion!: string | null;

  @ApiProperty({
    ...NULLABLE_VERSION,
    description: 'The version that the store holds beyond the live one; null when none is known.',
  })
  submittedVersion!: string | null;

  @ApiProperty({ description: 'Why the platform is in this phase, in a sentence or two.', example: EXAMPLE.message })
  message!: string;
}

/** Known state of a target at its store. */
@ApiSchema({ name: 'TargetStatus' })
export class TargetStatusView {
  @ApiProperty({ enum: PHASES, description: 'The phase of the target.' })
  phase!: Phase;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it entered this phase.' })
  phaseSince!: Date | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The pinned version.' })
  desiredVersion!: string | null;

  @ApiProperty({ ...LIVE_VERSION, description: 'The version that the store last showed as live; null when unknown.' })
  liveVersion!: string | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The percentage of users that the store offers the live version to, as it last said; null for all.',
  })
  offeredPercent!: number | null;

  @ApiProperty({
    ...NULLABLE_VERSION,
    description: 'The version that the store last showed as submitted and not yet live.',
  })
  submittedVersion!: string | null;

  @ApiProperty({ description: 'Why the target is in this phase, in one or two sentences.', example: EXAMPLE.message })
  message!: string;

  @ApiProperty({
    type: String,
    enum: ['waiting', 'rejected', null],
    nullable: true,
    description:
      'The pinned version is not sent: it waits for the approval of another person, or one rejected it. Null when it does not wait for that.',
  })
  approval!: 'waiting' | 'rejected' | null;

  @ApiProperty({
    enum: REQUIRED_SETTINGS,
    isArray: true,
    description: 'The settings that are missing before the store can be asked.',
  })
  missing!: readonly (typeof REQUIRED_SETTINGS)[number][];

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When Pierhead last asked the store, whether or not it answered; null before the first time.',
  })
  checkedAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When Pierhead asks the store again; null while the target is disabled or incomplete.',
  })
  nextCheckAt!: Date | null;

  @ApiProperty({ type: 'integer', description: 'Consecutive failures.' })
  failures!: number;

  @ApiProperty({
    type: [PlatformStatus],
    description:
      'The status of each platform, where the store keeps versions per platform; the fields above then show the least advanced.',
  })
  platforms!: readonly PlatformStatus[];
}

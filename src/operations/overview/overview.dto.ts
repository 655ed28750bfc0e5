import { ApiProperty } from '@nestjs/swagger';
import {
  NULLABLE_ID,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NULLABLE_VERSION,
  ChoiceField,
  PageQuery,
} from '../../common/fields/index.js';
import { STORE_IDS, type StoreId } from '../../stores/index.js';
import { DisplayView, LIVE_VERSION, PHASES, Rollout, TONES, type Phase, type Tone } from '../../targets/index.js';
import { TREND_KINDS, type Trend, type TrendKind } from './home/figures.js';
import { NEED_KINDS, NEED_TURNS, type NeedKind, type NeedTurn } from './needs/need.js';

/** Orders of the extensions: newest first, or those that need attention first and then those with the most users. */
export const OVERVIEW_ORDERS = ['newest', 'attention'] as const;

/** The page of the overview to return, and its order. */
export class OverviewQuery extends PageQuery {
  @ChoiceField({
    description:
      'newest: newest first. attention: first what a store refused, what needs you and what is on its way, then by users. Default: newest.',
    of: OVERVIEW_ORDERS,
    optional: true,
  })
  sort?: (typeof OVERVIEW_ORDERS)[number];
}

/** A figure of an extension on each of the last 28 whole UTC days. */
export class OverviewTrend implements Trend {
  @ApiProperty({
    enum: TREND_KINDS,
    description:
      'installs: those that sent a ping that day; users: those that stores count, as each last told, where there are no installs.',
  })
  of!: TrendKind;

  @ApiProperty({
    type: 'array',
    items: { type: 'number', nullable: true },
    maxItems: 28,
    description: 'One number a day, oldest first; null where it is not known.',
  })
  days!: readonly (number | null)[];
}

/** The state of one target of an extension. */
export class OverviewTarget {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  id!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The channel at the store; null where it has none.' })
  channel!: string | null;

  @ApiProperty({ enum: PHASES, description: 'Phase of the target.' })
  phase!: Phase;

  @ApiProperty({ ...NULLABLE_TIME, description: 'Since when it is in this phase.' })
  phaseSince!: Date | null;

  @ApiProperty({ ...LIVE_VERSION, description: 'The version that users get; null when none is known.' })
  liveVersion!: string | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The version that the store holds beyond the live one.' })
  submittedVersion!: string | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The pinned version.' })
  desiredVersion!: string | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The percentage of users that the store offers the live version to, as it last said; null for all.',
  })
  rolloutPercent!: number | null;

  @ApiProperty({
    type: Rollout,
    nullable: true,
    description: 'The version that the store offers to a share of the users; null where it offers none so.',
  })
  rollout!: Rollout | null;

  @ApiProperty({ description: 'Whether the target is paused.' })
  paused!: boolean;

  @ApiProperty({ type: DisplayView, description: 'How to show its state.' })
  display!: DisplayView;
}

/** An extension, and the state of its targets. */
export class OverviewExtension {
  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  id!: string;

  @ApiProperty({ description: 'Its name.', example: 'Tab Counter' })
  name!: string;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Installs that sent a ping on the last whole UTC day; null without analytics, or without the scope analytics:read.',
  })
  activeInstalls!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Users that its stores count, added up as they were last told; null where none tells, or without the scope analytics:read.',
  })
  users!: number | null;

  @ApiProperty({
    type: OverviewTrend,
    nullable: true,
    description:
      'How its installs or users developed; null where nothing is known, or without the scope analytics:read.',
  })
  trend!: OverviewTrend | null;

  @ApiProperty({ type: [OverviewTarget], description: 'Its targets, in the order of the stores.' })
  targets!: readonly OverviewTarget[];
}

/** One thing that needs attention. */
export class OverviewNeed {
  @ApiProperty({
    description: 'Its kind and what it is about, the same for as long as it is the same need.',
    example: 'credential_expiring:0194a6f0-7c3e-7a51-9d2b-3f0a51c2ab11',
  })
  key!: string;

  @ApiProperty({
    enum: NEED_KINDS,
    description:
      'What needs attention. approval_waiting: a version waits for another person; approval_rejected: one rejected it; held: a version is not sent because its store would refuse it, as its findings show.',
    example: 'rejected',
  })
  kind!: NeedKind;

  @ApiProperty({ enum: NEED_TURNS, description: 'Who must act next: you, the store, or another person of your team.' })
  turn!: NeedTurn;

  @ApiProperty({ enum: TONES, description: 'How to show it, as the display of a target.', example: 'rejected' })
  tone!: Tone;

  @ApiProperty({
    description: 'The situation, in one sentence.',
    example: 'Chrome Web Store rejected Tab Counter 1.4.0.',
  })
  what!: string;

  @ApiProperty({
    description: 'What to do, in one sentence.',
    example: 'See why, and push a mended version.',
  })
  remedy!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The store's own words; null where it said nothing.",
    example: 'Use of permissions: "tabs" is requested but not used.',
  })
  message!: string | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When the situation began; for a credential, when it expires. Null when unknown.',
  })
  at!: Date | null;

  @ApiProperty({ type: 'integer', description: 'How many things it is about, counted up to 1000.' })
  count!: number;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the extension; null where it is about none.' })
  extensionId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the target; null where it is about none.' })
  targetId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the credential; null where it is about none.' })
  credentialId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the approval; null where it is about none.' })
  approvalId!: string | null;

  @ApiProperty({
    type: String,
    enum: [...STORE_IDS, null],
    nullable: true,
    description: 'The store; null where it is about none.',
  })
  store!: StoreId | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The pinned version of the target; null where it is about none.' })
  version!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The store's dashboard, if that is where you act; otherwise null.",
    example: 'https://chrome.google.com/webstore/devconsole',
  })
  url!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The word for what answers it, as a button has it; null where you may not do it.',
    example: 'See why',
  })
  action!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Where that is done: a path of the console that opens it, or an address at the store.',
    example: '/extensions/0194a6f0-7c3e-7a51-9d2b-3f0a51c2ab11/versions/1.4.0#rejected',
  })
  href!: string | null;
}

/** The state of all extensions at all stores, and what needs attention. */
export class Overview {
  @ApiProperty({
    type: [OverviewNeed],
    description: 'What needs attention, most urgent first: at most 100, all on the first page.',
  })
  needs!: readonly OverviewNeed[];

  @ApiProperty({
    type: [OverviewExtension],
    description: 'The extensions of this page, newest first unless sorted by attention.',
  })
  items!: readonly OverviewExtension[];

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Cursor of the next page; null on the last page.' })
  nextCursor!: string | null;
}

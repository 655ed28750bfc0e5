import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EXAMPLE, IdField, NULLABLE_TEXT, NULLABLE_TIME } from '../common/fields/index.js';
import { STORE_IDS, type StoreId } from '../stores/index.js';
import { DisplayView, PHASES, type Phase } from '../targets/index.js';
import { Rejection } from './releases/rejection.dto.js';
import { RELEASE_STATES, type ReleaseState, STEPS, type StepName } from './releases/pure.js';

export const STEP_OUTCOMES = ['done', 'pending', 'failed', 'none'] as const;

/** One step of a reconcile. */
export class CarriedStep {
  @ApiProperty({ enum: STEPS, description: 'The step.' })
  step!: StepName;

  @ApiPropertyOptional({
    description: 'The platform of the step, where the store has versions per platform.',
    example: 'macos',
  })
  platform?: string;

  @ApiProperty({ description: 'Why this step is next.', example: EXAMPLE.because })
  because!: string;

  @ApiProperty({
    enum: STEP_OUTCOMES,
    description:
      'done: the store completed the step; pending: the store is working on it; failed: see the message; none: no call was needed, or the store asked to wait.',
  })
  outcome!: (typeof STEP_OUTCOMES)[number];
}

/** Result of a reconcile for one target. */
export class ReconciledTarget {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'Its store.' })
  store!: StoreId;

  @ApiProperty({ enum: PHASES, description: 'The current phase of the target.' })
  phase!: Phase;

  @ApiProperty({ type: [CarriedStep], description: 'The steps that were taken, in order.' })
  steps!: readonly CarriedStep[];

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the store is checked next; null when it is not.' })
  nextCheckAt!: Date | null;

  @ApiProperty({ description: 'Why the target is in this phase, in one or two sentences.', example: EXAMPLE.message })
  message!: string;
}

/** Result of a reconcile, target by target. */
export class ReconcileResult {
  @ApiProperty({ type: [ReconciledTarget], description: "The extension's enabled targets." })
  targets!: readonly ReconciledTarget[];
}

/** The artifact to look ahead with. */
export class NextStepsQuery {
  @IdField({
    description: 'Plans as if this artifact were pinned for every target. Default: what is pinned.',
    optional: true,
  })
  artifact?: string;
}

/** The next step of a target. */
export class PlannedTarget {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'Its store.' })
  store!: StoreId;

  @ApiProperty({ enum: PHASES, description: 'The phase that the target would be in.' })
  phase!: Phase;

  @ApiProperty({ enum: STEPS, description: 'The next step.' })
  step!: StepName;

  @ApiProperty({ description: 'Why this is the next step, in a sentence.', example: EXAMPLE.because })
  because!: string;

  @ApiPropertyOptional({
    description: 'The platform of the step: one entry each, where the store has versions per platform.',
    example: 'macos',
  })
  platform?: string;
}

/** Preview of a reconcile, target by target. */
export class DryRun {
  @ApiProperty({ type: [PlannedTarget], description: 'What each target would do next.' })
  targets!: readonly PlannedTarget[];
}

/** The state of a version at one target. */
export class ReleaseTarget {
  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The platform, where the store has versions per platform.' })
  platform!: string | null;

  @ApiProperty({ enum: RELEASE_STATES, description: 'The state of the version there.' })
  state!: ReleaseState;

  @ApiProperty({ type: DisplayView, description: 'How to show its state.' })
  display!: DisplayView;

  @ApiProperty({ description: 'When the release entered this state.' })
  at!: Date;

  @ApiProperty({ description: 'When its package was first pushed.' })
  pushedAt!: Date;

  @ApiProperty({
    ...NULLABLE_TIME,
    description:
      'When it was last submitted to review; null when it was not, or the review was cancelled. Where the store has versions per platform, this, decidedAt and liveAt are of the first platform that came so far.',
  })
  submittedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the store had decided about it; null while it has not.' })
  decidedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When users first got it; null when they did not.' })
  liveAt!: Date | null;

  @ApiProperty({ format: 'uuid', description: 'Id of the artifact that the store has, or will get.' })
  artifactId!: string;

  @ApiProperty({ description: 'Whether Pierhead submitted it; false until then, and when a person submitted it.' })
  submittedByPierhead!: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The store's words about the last step that it refused; null when it refused none.",
    example: 'The package is invalid: an icon of 128 pixels is missing.',
  })
  refusal!: string | null;

  @ApiProperty({
    type: Rejection,
    nullable: true,
    description: 'Of a version that the store has rejected or refused; null for any other.',
  })
  rejection!: Rejection | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      "Ids that the store gave this release, by name, such as Edge's `publishOperation`. Its support asks for them.",
    example: { publishOperation: '9a1e7c25-b0a7-4c3e-9f41-2d8a6b90c1d4' },
  })
  storeIds!: Readonly<Record<string, string>>;
}

/** A version with its state at each target. */
export class VersionReleases {
  @ApiProperty({ description: 'The version.', example: '1.4.0' })
  version!: string;

  @ApiProperty({ type: [ReleaseTarget], description: 'Its state at each target.' })
  targets!: ReleaseTarget[];
}

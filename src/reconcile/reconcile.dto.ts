import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { STORE_IDS, type StoreId } from '../stores/index.js';
import { PHASES, type Phase } from '../targets/index.js';
import { STEPS, type StepName } from './planning/plan.js';
import { RELEASE_STATES, type ReleaseState } from './planning/release-state.js';

export const STEP_OUTCOMES = ['done', 'pending', 'failed', 'none'] as const;

/** One step of a reconcile. */
export class CarriedStep {
  @ApiProperty({ enum: STEPS })
  step!: StepName;

  @ApiPropertyOptional({ description: 'The platform of the step, where the store has versions per platform.' })
  platform?: string;

  @ApiProperty({ description: 'Why this step is next.' })
  because!: string;

  @ApiProperty({
    enum: STEP_OUTCOMES,
    description:
      'done: the store completed the step; pending: the store is working on it; failed: see the message; none: no call was needed, or the store asked to wait.',
  })
  outcome!: (typeof STEP_OUTCOMES)[number];
}

/** What a reconcile did for one target. */
export class ReconciledTarget {
  @ApiProperty({ format: 'uuid' })
  targetId!: string;

  @ApiProperty({ enum: STORE_IDS })
  store!: StoreId;

  @ApiProperty({ enum: PHASES })
  phase!: Phase;

  @ApiProperty({ type: [CarriedStep] })
  steps!: readonly CarriedStep[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextCheckAt!: Date | null;

  @ApiProperty()
  message!: string;
}

export class ReconcileResult {
  @ApiProperty({ type: [ReconciledTarget], description: "The extension's enabled targets." })
  targets!: readonly ReconciledTarget[];
}

/** The next step of a target. */
export class PlannedTarget {
  @ApiProperty({ format: 'uuid' })
  targetId!: string;

  @ApiProperty({ enum: STORE_IDS })
  store!: StoreId;

  @ApiProperty({ enum: PHASES })
  phase!: Phase;

  @ApiProperty({ enum: STEPS })
  step!: StepName;

  @ApiProperty()
  because!: string;

  @ApiPropertyOptional({
    description: 'The platform of the step: one entry each, where the store has versions per platform.',
  })
  platform?: string;
}

export class DryRun {
  @ApiProperty({ type: [PlannedTarget] })
  targets!: readonly PlannedTarget[];
}

class ReleaseTarget {
  @ApiProperty({ enum: STORE_IDS })
  store!: StoreId;

  @ApiProperty({ format: 'uuid' })
  targetId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The platform, where the store has versions per platform.',
  })
  platform!: string | null;

  @ApiProperty({ enum: RELEASE_STATES })
  state!: ReleaseState;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the release entered this state.' })
  at!: Date;
}

/** A version with its state at each target. */
export class VersionReleases {
  @ApiProperty()
  version!: string;

  @ApiProperty({ type: [ReleaseTarget] })
  targets!: ReleaseTarget[];
}

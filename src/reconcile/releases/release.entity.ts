import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { ArtifactEntity } from '../../artifacts/index.js';
import { Row } from '../../common/database/index.js';
import type { FailureKind } from '../../stores/index.js';
import { TargetEntity } from '../../targets/index.js';
import type { StepName } from '../planning/plan.js';
import type { ReleaseState } from '../planning/release-state.js';

/** What is about to be done at the store, written before the call: found after a crash, it says that the outcome is not known. */
export interface Intent {
  readonly step: StepName;
  /** Names this attempt. */
  readonly key: string;
}

/** The share of users, in percent, that the store last took; it may not show it yet. */
export interface Rollout {
  readonly percent: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A step that the store did not take, in its words. */
export interface Refusal {
  readonly step: StepName;
  readonly kind: FailureKind;
  readonly message: string;
  /** How many times in a row; absent on rows that were written before this was counted. */
  readonly times?: number;
}

/** One version on its way to one target. Tried again after it failed, it is another release. */
@Entity('release')
@Index(['targetId', 'id'])
@Index(['extensionId', 'id'])
@Index(['extensionId', 'version', 'id'])
@Index(['artifactId'])
export class ReleaseEntity extends Row {
  @Column('uuid')
  extensionId!: string;

  @Column('uuid')
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'target_id' })
  target?: Relation<TargetEntity>;

  @Column('uuid')
  artifactId!: string;

  @ManyToOne(() => ArtifactEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'artifact_id' })
  artifact?: Relation<ArtifactEntity>;

  /** The item at the store that it is a version of: a target may be pointed at another one later. */
  @Column('text')
  storeItemId!: string;

  /** The channel it was handed over in; a target may be turned to another one later. Empty where the store has none. */
  @Column('text', { default: '' })
  channel!: string;

  /** At a store whose platforms have versions of their own. */
  @Column('text', { nullable: true })
  platform!: string | null;

  /** As the store shows it. */
  @Column('text')
  version!: string;

  @Column('text')
  state!: ReleaseState;

  @Column('timestamptz')
  stateAt!: Date;

  /** Pierhead sent it to review. */
  @Column('boolean')
  isOurs!: boolean;

  /** The store's verdict on this version when the submission under way began. */
  @Column('text', { nullable: true })
  verdictBefore!: 'rejected' | 'cancelled' | null;

  /** Ids that the store handed out, by name. */
  @Column('jsonb')
  handles!: Record<string, string>;

  @Column('jsonb', { nullable: true })
  intent!: Intent | null;

  @Column('jsonb', { nullable: true })
  rollout!: Rollout | null;

  /** What the store last did not take, until it takes that or a look finds nothing more to do. */
  @Column('jsonb', { nullable: true })
  refusal!: Refusal | null;

  /** When it was last told that its review takes unusually long. */
  @Column('timestamptz', { nullable: true })
  remindedAt!: Date | null;
}

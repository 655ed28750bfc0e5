import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import { ArtifactEntity } from '../../artifacts/index.js';
import { Exported, NotExported, Row } from '../../common/database/index.js';
import type { FailureKind } from '../../stores/index.js';
import { TargetEntity } from '../../targets/index.js';
import type { StepName } from './step.js';
import type { ReleaseState } from './release-state.js';

/** The step that is about to be made, written before the call: found after a crash, it means that the outcome is unknown. */
export interface Intent {
  readonly step: StepName;
  /** Identifies the attempt. */
  readonly key: string;
}

/** The percentage of users that the store last accepted; it may not show it yet. */
export interface Rollout {
  readonly percent: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A step that the store refused, in its words. */
export interface Refusal {
  readonly step: StepName;
  readonly kind: FailureKind;
  readonly message: string;
  /** Number of times in a row; absent on rows that were written before this was counted. */
  readonly times?: number;
}

/** One version on its way to one target. A new attempt after a failure is a new release. */
@Entity('release')
@Index(['targetId', 'id'])
@Index(['extensionId', 'id'])
@Index(['extensionId', 'version', 'id'])
@Index(['artifactId'])
export class ReleaseEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @Column('uuid')
  @Exported()
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  @Column('uuid')
  @Exported()
  artifactId!: string;

  @ManyToOne(() => ArtifactEntity, { onDelete: 'CASCADE' })
  artifact?: Relation<ArtifactEntity>;

  /** The item at the store; the target may be pointed at another one later. */
  @Column('text')
  @Exported()
  storeItemId!: string;

  /** The channel at the store; the target may be changed to another one later. Empty where the store has none. */
  @Column('text', { default: '' })
  @Exported()
  channel!: string;

  /** The platform, at stores that keep versions per platform. */
  @Column('text', { nullable: true })
  @Exported()
  platform!: string | null;

  /** As the store shows it. */
  @Column('text')
  @Exported()
  version!: string;

  @Column('text')
  @Exported()
  state!: ReleaseState;

  @Column('timestamptz')
  @Exported()
  stateAt!: Date;

  /** Whether Pierhead submitted it. */
  @Column('boolean')
  @Exported()
  submittedByPierhead!: boolean;

  /** The store's verdict on this version when the submission under way began. */
  @Column('text', { nullable: true })
  @Exported()
  earlierVerdict!: 'rejected' | 'cancelled' | null;

  /** Ids that the store handed out, by name. */
  @Column('jsonb')
  @NotExported('scheduling')
  handles!: Record<string, string>;

  @Column('jsonb', { nullable: true })
  @NotExported('scheduling')
  intent!: Intent | null;

  @Column('jsonb', { nullable: true })
  @Exported()
  rollout!: Rollout | null;

  /** The last refused step, until the store accepts it or a check finds nothing more to do. */
  @Column('jsonb', { nullable: true })
  @Exported()
  refusal!: Refusal | null;

  /** When the tenant was notified that its review takes unusually long. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  remindedAt!: Date | null;
}

import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Audited, Exported, NotExported } from '../../common/database/index.js';
import type { Phase } from './phase.js';
import { TargetEntity } from '../target.entity.js';

/** The status of one platform of a target, at a store that keeps versions per platform. */
export interface PlatformStatus {
  readonly phase: Phase;
  readonly message: string;
  readonly liveVersion: string | null;
  readonly submittedVersion: string | null;
  readonly offeredPercent: number | null;
  /** ISO 8601. */
  readonly offeredSince: string | null;
  readonly liveByPierhead: boolean;
  readonly failures: number;
  readonly checksInPhase: number;
  /** ISO 8601. */
  readonly nextCheckAt: string | null;
}

/** State of a target in the engine: the known facts, the next check, and the process that works on it now. */
@Entity('target_status')
@Index('target_status_due_idx', ['nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
export class TargetStatusEntity {
  @PrimaryColumn('uuid')
  @Exported()
  targetId!: string;

  @OneToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  @JoinColumn()
  target?: Relation<TargetEntity>;

  /** Counts the tenant's changes: settings, pins, secrets. A check that began before a change does not overwrite it. */
  @Column('integer')
  @NotExported('scheduling')
  revision = 0;

  /** The version that the tenant asked to publish once it is approved. */
  @Column('text', { nullable: true })
  @NotExported('scheduling')
  @Audited({ of: 'target' })
  releaseRequested: string | null = null;

  @Column('text')
  @Exported()
  phase: Phase = 'disabled';

  /** Since when it is in this phase. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  phaseSince: Date | null = null;

  @Column('text')
  @Exported()
  message = '';

  /** It waits for a person because its store would refuse the pinned package, which was not sent. */
  @Column('boolean')
  @Exported()
  refusable = false;

  /** It waits because nobody has approved the pinned version yet, or somebody rejected it; null where it does not wait for that. */
  @Column('text', { nullable: true })
  @Exported()
  approval: 'waiting' | 'rejected' | null = null;

  @Column('text', { nullable: true })
  @Exported()
  desiredVersion: string | null = null;

  @Column('text', { nullable: true })
  @Exported()
  liveVersion: string | null = null;

  /** The share of users, in percent, that the store offers the live version to, as it last said; null for all. */
  @Column('integer', { nullable: true })
  @Exported()
  offeredPercent: number | null = null;

  /** When that share of that version was first seen; null while it goes to all. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  offeredSince: Date | null = null;

  /** Pierhead submitted the live version, so it may raise its share. */
  @Column('boolean', { default: false })
  @Exported()
  liveByPierhead = false;

  /** Digest of the live version's file, as its store told it first; null where it tells none. */
  @Column('text', { nullable: true })
  @Exported()
  fileDigest: string | null = null;

  @Column('text', { nullable: true })
  @Exported()
  submittedVersion: string | null = null;

  /** By platform; empty where all platforms share their versions, and after a change until the next check. */
  @Column('jsonb')
  @Exported()
  platformStatuses: Readonly<Record<string, PlatformStatus>> = {};

  /** When the store was last asked, whether or not it answered. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  checkedAt: Date | null = null;

  /** When the scheduler checks the store again; null while it cannot be asked. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  nextCheckAt: Date | null = null;

  /** The store asked not to be called before this moment (`Retry-After`). */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  notBefore: Date | null = null;

  /** Consecutive failures. */
  @Column('integer')
  @NotExported('scheduling')
  failures = 0;

  /** Checks in a row that found the same phase. */
  @Column('integer')
  @NotExported('scheduling')
  checksInPhase = 0;

  /** Since when a version is under way and waits for neither a review nor a person; null otherwise. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  waitingSince: Date | null = null;

  /** When the tenant was notified that the target makes no progress; null until then. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  stallNotifiedAt: Date | null = null;

  /** The worker that holds this token owns the target until the work lock expires. The lock is written apart from the rest, and not read with it. */
  @Column('uuid', { nullable: true, select: false })
  @NotExported('scheduling')
  leaseToken?: string | null;

  @Column('timestamptz', { nullable: true, select: false })
  @NotExported('scheduling')
  leaseUntil?: Date | null;
}

export type TargetStatus = Omit<TargetStatusEntity, 'targetId' | 'target' | 'leaseToken' | 'leaseUntil'>;

/** A target's settings and its status. */
export type TargetWithStatus = Omit<TargetEntity, 'extension' | 'credential'> & { readonly status: TargetStatus };

/** A target with the work lock to work on it. */
export type LockedTarget = TargetWithStatus & { readonly leaseToken: string };

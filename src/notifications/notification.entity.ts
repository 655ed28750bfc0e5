import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Exported, NotExported, Personal, Row } from '../common/database/index.js';
import { TenantEntity } from '../platform/accounts/index.js';
import type { DeliveredKind } from './kinds.js';

/** A store's name, and the pages with details. */
export interface StoreLinks {
  readonly store: string;
  readonly listing: string | null;
  readonly dashboard: string | null;
}

/** A license at the time of a notification about it. */
export interface NotedLicense {
  readonly id: string;
  readonly planId: string;
  readonly tier: string;
  readonly status: string;
  readonly expiresAt: string | null;
  /** Absent from notifications of 1.0. */
  readonly renews?: boolean;
  readonly renewsAt?: string | null;
  readonly seats: { readonly used: number; readonly max: number };
  /** Null before the license has an owner, and once the buyer is erased. */
  readonly buyerEmail: string | null;
  readonly codeHint: string;
  readonly source: string;
  readonly isTest: boolean;
  readonly reason: string | null;
}

/** A trial at the time of a notification about it. */
export interface NotedTrial {
  readonly id: string;
  readonly planId: string;
  readonly tier: string;
  readonly startedAt: string;
  readonly endsAt: string;
  /** Null where the plan asks for none, and once its user is erased. */
  readonly email: string | null;
  /** The license that it became. */
  readonly licenseId: string | null;
  readonly reason: string | null;
}

/** A notification to a tenant, whether or not an endpoint received it. It never changes, and outlives what it is about. */
@Entity('notification')
@Index(['tenantId', 'id'])
@Index(['targetId', 'id'])
@Index('notification_license_id_idx', ['licenseId'], { where: 'license_id IS NOT NULL' })
@Index('notification_trial_id_idx', ['trialId'], { where: 'trial_id IS NOT NULL' })
@Unique(['onceKey'])
export class NotificationEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  kind!: DeliveredKind;

  @Column('text')
  @Exported()
  message!: string;

  @Column('uuid', { nullable: true })
  @Exported()
  extensionId!: string | null;

  /** At the time of the notification. */
  @Column('text', { nullable: true })
  @Exported()
  extensionName!: string | null;

  @Column('uuid', { nullable: true })
  @Exported()
  targetId!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  version!: string | null;

  @Column('uuid', { nullable: true })
  @Exported()
  credentialId!: string | null;

  /** The store that it is about and its pages there, at the time of the notification. */
  @Column('jsonb', { nullable: true })
  @Exported()
  place!: StoreLinks | null;

  @Column('uuid', { nullable: true })
  @Exported()
  licenseId!: string | null;

  @Column('jsonb', { nullable: true })
  @Exported()
  @Personal('buyer')
  license!: NotedLicense | null;

  @Column('uuid', { nullable: true })
  @Exported()
  trialId!: string | null;

  @Column('jsonb', { nullable: true })
  @Exported()
  @Personal('buyer')
  trial!: NotedTrial | null;

  /** The approval that it is about; the console has a page of it. */
  @Column('uuid', { nullable: true })
  @Exported()
  approvalId!: string | null;

  /** Whether it is about nothing: a test that looks like a notification of its kind. */
  @Column('boolean', { default: false })
  @Exported()
  isExample!: boolean;

  /** Keeps two processes, or two runs, from sending the same notification; null for one that may be repeated. */
  @Column('text', { nullable: true })
  @NotExported('scheduling')
  onceKey!: string | null;
}

export type NotificationRow = Omit<NotificationEntity, 'tenant'>;

import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import { Exported, NotExported, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { EndpointEntity } from '../endpoint.entity.js';
import { NotificationEntity } from '../notification.entity.js';

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'given_up'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A notification on its way to one endpoint, and the work lock of the worker that is delivering it. */
@Entity('notification_delivery')
@Index(['tenantId', 'id'])
@Index(['tenantId', 'status', 'id'])
@Index(['endpointId', 'id'])
@Index(['endpointId', 'status', 'id'])
@Index('notification_delivery_leased_idx', ['endpointId'], { where: 'lease_until IS NOT NULL' })
@Index(['notificationId'])
@Index(['lastTriedAt'])
@Index('notification_delivery_due_idx', ['nextTryAt'], { where: 'next_try_at IS NOT NULL' })
export class DeliveryEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  @Exported()
  endpointId!: string;

  @ManyToOne(() => EndpointEntity, { onDelete: 'CASCADE' })
  endpoint?: Relation<EndpointEntity>;

  @Column('uuid')
  @Exported()
  notificationId!: string;

  @ManyToOne(() => NotificationEntity, { onDelete: 'CASCADE' })
  notification?: Relation<NotificationEntity>;

  @Column('text')
  @Exported()
  status!: DeliveryStatus;

  /** In total. */
  @Column('integer')
  @Exported()
  attempts!: number;

  /** Failures in a row since `triedSince`; a redelivery resets both. */
  @Column('integer')
  @NotExported('scheduling')
  failures!: number;

  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  triedSince!: Date | null;

  @Column('timestamptz', { nullable: true })
  @Exported()
  lastTriedAt!: Date | null;

  /** The receiver's last answer. */
  @Column('integer', { nullable: true })
  @Exported()
  lastStatus!: number | null;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true })
  @Exported()
  lastError!: string | null;

  /** When a pending webhook is due; null for mail, which waits in the outbox. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  nextTryAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  @Exported()
  deliveredAt!: Date | null;

  /** Token of the work lock under which a worker delivers it. */
  @Column('uuid', { nullable: true })
  @NotExported('scheduling')
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  leaseUntil!: Date | null;
}

export type DeliveryRow = Omit<DeliveryEntity, 'tenant' | 'endpoint' | 'notification'>;

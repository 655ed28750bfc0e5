import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../identity/index.js';
import { EndpointEntity } from './endpoint.entity.js';
import { NotificationEntity } from './notification.entity.js';

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'given_up'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A notification on its way to one endpoint, and who is delivering it right now. */
@Entity('notification_delivery')
@Index(['tenantId', 'id'])
@Index(['tenantId', 'status', 'id'])
@Index(['endpointId', 'status'])
@Index('notification_delivery_leased_idx', ['endpointId'], { where: 'lease_until IS NOT NULL' })
@Index(['notificationId'])
@Index('notification_delivery_due_idx', ['nextTryAt'], { where: 'next_try_at IS NOT NULL' })
export class DeliveryEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  endpointId!: string;

  @ManyToOne(() => EndpointEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id' })
  endpoint?: Relation<EndpointEntity>;

  @Column('uuid')
  notificationId!: string;

  @ManyToOne(() => NotificationEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'notification_id' })
  notification?: Relation<NotificationEntity>;

  @Column('text')
  status!: DeliveryStatus;

  /** In all. */
  @Column('integer')
  attempts!: number;

  /** Failures in a row since `triedSince`: both begin anew with a redelivery. */
  @Column('integer')
  failures!: number;

  @Column('timestamptz', { nullable: true })
  triedSince!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastTriedAt!: Date | null;

  /** What the receiver answered last. */
  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  /** Why there was no answer, or none that counts. */
  @Column('text', { nullable: true })
  lastError!: string | null;

  /** Of a webhook that waits; a mail waits in the outbox. */
  @Column('timestamptz', { nullable: true })
  nextTryAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  deliveredAt!: Date | null;

  /** Whoever holds this token delivers it, until the lease runs out. */
  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}

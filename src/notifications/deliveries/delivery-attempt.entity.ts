import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Exported, NotExported, Personal } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { DeliveryEntity } from './delivery.entity.js';

/** One attempt to deliver a notification. What was sent follows from the notification, and so is erased with it. */
@Entity('delivery_attempt')
@Index(['deliveryId', 'triedAt'])
@Index(['tenantId', 'id'])
@Index(['triedAt'])
export class DeliveryAttemptEntity {
  @PrimaryColumn('uuid')
  @Exported()
  id!: string;

  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  @Exported()
  deliveryId!: string;

  @ManyToOne(() => DeliveryEntity, { onDelete: 'CASCADE' })
  delivery?: Relation<DeliveryEntity>;

  @Column('timestamptz')
  @Exported()
  triedAt!: Date;

  /** Until the answer, or until the attempt was given up; null for mail. */
  @Column('integer', { nullable: true })
  @Exported()
  durationMs!: number | null;

  /** The URL that was called; null for mail. */
  @Column('text', { nullable: true })
  @Exported()
  url!: string | null;

  @Column('integer', { nullable: true })
  @Exported()
  status!: number | null;

  @Column('text', { nullable: true })
  @Exported()
  error!: string | null;

  /** The beginning of what the receiver answered, without what looks like a secret. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('buyer')
  answer!: string | null;
}

export type DeliveryAttemptRow = Omit<DeliveryAttemptEntity, 'tenant' | 'delivery'>;

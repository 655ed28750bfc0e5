import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../identity/index.js';
import type { ProcessorId } from '../payments/index.js';
import { PurchaseEntity } from './purchase.entity.js';

/** `unmapped` no plan fits yet; `waiting` no e-mail address is known yet. Both become `handled` by themselves or by a replay. */
export const INBOX_STATUSES = ['handled', 'ignored', 'unmapped', 'waiting'] as const;
export type InboxStatus = (typeof INBOX_STATUSES)[number];

/** One notification of a processor. Written in the transaction of its effect, so that there is neither without the other. */
@Entity('inbox_item')
@Unique(['tenantId', 'processor', 'eventKey'])
@Index(['tenantId', 'id'])
@Index(['tenantId', 'status', 'id'])
@Index(['purchaseId'])
@Index(['createdAt'])
export class InboxItemEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  processor!: ProcessorId;

  /** Names the event at its processor; kept longer than the payload, so that an old delivery stays a duplicate. */
  @Column('text')
  eventKey!: string;

  /** The processor's word for what happened. */
  @Column('text')
  kind!: string;

  /** The processor's time. */
  @Column('timestamptz')
  happenedAt!: Date;

  @Column('boolean')
  isTest!: boolean;

  @Column('text')
  status!: InboxStatus;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** JSON; text, since `jsonb` cannot hold every string that JSON can. Null once it was kept long enough. */
  @Column('text', { nullable: true })
  payload!: string | null;

  /** The purchase it is about. */
  @Column('uuid', { nullable: true })
  purchaseId!: string | null;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'purchase_id' })
  purchase?: Relation<PurchaseEntity>;
}

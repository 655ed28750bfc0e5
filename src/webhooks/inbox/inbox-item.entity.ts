import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import type { ProcessorId } from '../../payments/index.js';
import { PurchaseEntity } from '../purchases/purchase.entity.js';

/** The tenant must act, or no e-mail address is known yet. Both become `handled` by a later notification or a replay. */
export const OPEN_STATUSES = ['unmapped', 'waiting'] as const;
/** `received` is recorded, and about to be handled. */
export const INBOX_STATUSES = ['received', 'handled', 'ignored', ...OPEN_STATUSES] as const;
export type InboxStatus = (typeof INBOX_STATUSES)[number];

/** One notification of a processor, written in the transaction of its effect, so that neither exists without the other. */
@Entity('inbox_item')
@Unique(['tenantId', 'processor', 'eventKey'])
@Index(['tenantId', 'id'])
@Index(['tenantId', 'status', 'id'])
@Index(['tenantId', 'processor', 'id'])
@Index(['tenantId', 'createdAt'])
@Index('inbox_item_credential_id_id_idx', ['credentialId', 'id'], { where: 'credential_id IS NOT NULL' })
@Index(['purchaseId'])
@Index(['createdAt'])
@Index('inbox_item_open_idx', ['createdAt'], { where: "status = ANY (ARRAY['unmapped'::text, 'waiting'::text])" })
@Index('inbox_item_received_idx', ['createdAt'], { where: "status = 'received'::text" })
export class InboxItemEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  processor!: ProcessorId;

  /** Identifies the event at its processor; kept longer than the payload, so that a late repetition is still recognized. */
  @Column('text')
  eventKey!: string;

  /** The processor's name of the event. */
  @Column('text')
  kind!: string;

  /** The processor's time of the event. */
  @Column('timestamptz')
  happenedAt!: Date;

  @Column('boolean')
  isTest!: boolean;

  @Column('text')
  status!: InboxStatus;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** JSON as text, because `jsonb` cannot hold every JSON string. Null once its retention has ended. */
  @Column('text', { nullable: true })
  payload!: string | null;

  /** The credential whose secret signed it; it may have been deleted since. */
  @Column('uuid', { nullable: true })
  credentialId!: string | null;

  /** The purchase that it is about. */
  @Column('uuid', { nullable: true })
  purchaseId!: string | null;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'SET NULL' })
  purchase?: Relation<PurchaseEntity>;
}

export type InboxItemRow = Omit<InboxItemEntity, 'tenant' | 'purchase'>;

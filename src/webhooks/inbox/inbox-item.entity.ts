import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import type { ProcessorId } from '../../payments/index.js';
import { PurchaseEntity } from '../purchases/index.js';

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
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  processor!: ProcessorId;

  /** Identifies the event at its processor; kept longer than the payload, so that a late repetition is still recognized. */
  @Column('text')
  @Exported()
  eventKey!: string;

  /** The processor's name of the event. */
  @Column('text')
  @Exported()
  kind!: string;

  /** The processor's time of the event. */
  @Column('timestamptz')
  @Exported()
  happenedAt!: Date;

  @Column('boolean')
  @Exported()
  isTest!: boolean;

  @Column('text')
  @Exported()
  @Audited()
  status!: InboxStatus;

  @Column('text', { nullable: true })
  @Exported()
  reason!: string | null;

  /** JSON as text, because `jsonb` cannot hold every JSON string. Null once its retention has ended. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('buyer')
  payload!: string | null;

  /** The purchase that it is about. */
  @Column('uuid', { nullable: true })
  @Exported()
  purchaseId!: string | null;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'SET NULL' })
  purchase?: Relation<PurchaseEntity>;

  /** The credential whose secret signed it; it may have been deleted since. */
  @Column('uuid', { nullable: true })
  @Exported()
  credentialId!: string | null;
}

export type InboxItemRow = Omit<InboxItemEntity, 'tenant' | 'purchase'>;

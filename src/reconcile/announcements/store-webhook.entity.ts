import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Row } from '../../common/database/index.js';
import { TargetEntity } from '../../targets/index.js';

/** Where a store announces changes of a target's item. */
@Entity('store_webhook')
@NotExported('scheduling')
@Unique(['targetId'])
export class StoreWebhookEntity extends Row {
  @Column('uuid')
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  /** JWE of the secret that signs announcements, sealed for this row's id. */
  @Column('text')
  sealed!: string;

  /** The store's id of it; null until the store has answered. */
  @Column('text', { nullable: true })
  webhookId: string | null = null;

  /** Ids of the latest announcements, newest first: stores repeat them, and so can others. */
  @Column('text', { array: true, default: [] })
  recentIds: string[] = [];

  @Column('timestamptz', { nullable: true })
  receivedAt: Date | null = null;
}

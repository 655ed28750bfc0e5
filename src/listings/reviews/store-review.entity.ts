import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import { TargetEntity } from '../../targets/index.js';
import type { AnswerState } from './answer-state.js';

/** What a user wrote about a target's item at a store. `createdAt` is when Pierhead first saw it. */
@Entity('store_review')
@Unique(['targetId', 'storeReviewId'])
@Index(['tenantId', 'id'])
@Index(['extensionId', 'id'])
@Index(['updatedAt'])
@Index('store_review_unread_idx', ['tenantId', 'id'], { where: 'read_at is null and vanished_at is null' })
export class StoreReviewEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('uuid')
  @Exported()
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  @Column('text')
  @Exported()
  storeReviewId!: string;

  @Column('integer')
  @Exported()
  stars!: number;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('reviewer')
  title!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('reviewer')
  text!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('reviewer')
  author!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  version!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  territory!: string | null;

  @Column('timestamptz')
  @Exported()
  writtenAt!: Date;

  /** When a reading found other stars or another text than before; null while none has. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  editedAt!: Date | null;

  /** When somebody marked it as read; null while it is unread. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  readAt!: Date | null;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('reviewer')
  answer!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  answerState!: AnswerState | null;

  /** When Pierhead last changed the answer: a reading that began earlier does not know it. Null for never. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  answeredAt!: Date | null;

  /** Since when the store no longer lists it: its texts are gone, and only the row remains, by which it is recognized should it come back. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  vanishedAt!: Date | null;
}

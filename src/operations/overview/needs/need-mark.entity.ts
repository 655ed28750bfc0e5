import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../../../common/database/index.js';
import { MembershipEntity, TenantEntity } from '../../../platform/accounts/index.js';

/** What a tenant's members said about a need: until when nobody has to see it, and who sees to it. */
@Entity('need_mark')
@Unique(['tenantId', 'key'])
@Index(['assigneeId'])
@Index(['updatedAt'])
export class NeedMarkEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  /** The extension that the need is about; null where it is about none. */
  @Column('uuid', { nullable: true })
  @Exported()
  extensionId!: string | null;

  /** Its kind and what it is about: `keyOf`. */
  @Column('text')
  @Exported()
  key!: string;

  @Column('timestamptz', { nullable: true })
  @Exported()
  @Audited()
  snoozedUntil!: Date | null;

  /** Who snoozed it: an e-mail address, or the name of a token. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  snoozedBy!: string | null;

  /** The need as it was then: `Snooze`. */
  @Column('integer')
  @Exported()
  seenCount!: number;

  @Column('timestamptz', { nullable: true })
  @Exported()
  seenAt!: Date | null;

  @Column('text', { nullable: true })
  @Exported()
  seenMessage!: string | null;

  /** The membership of who sees to it. */
  @Column('uuid', { nullable: true })
  @Exported({
    joined: {
      assignee: (row) =>
        `select email from membership join tenant_user on tenant_user.id = user_id where membership.id = ${row}.assignee_id`,
    },
  })
  @Audited({ as: 'assignee' })
  assigneeId!: string | null;

  @ManyToOne(() => MembershipEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'assignee_id' })
  assignee?: Relation<MembershipEntity> | null;
}

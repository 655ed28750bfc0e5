import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import type { Role } from '../../../common/access/index.js';
import { Audited, Exported, NotExported, Personal, Row } from '../../../common/database/index.js';
import { MembershipEntity } from '../membership.entity.js';

/** An invitation that has not been accepted. It ends with the membership of the member who sent it. */
@Entity('invitation')
@Unique(['secretDigest'])
@Unique(['tenantId', 'email'])
@Index(['tenantId', 'id'])
@Index(['invitedBy'])
@Index(['email'])
export class InvitationEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @Column('uuid')
  @Exported({ after: 'role' })
  invitedBy!: string;

  @ManyToOne(() => MembershipEntity, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'invited_by', referencedColumnName: 'userId' },
    { name: 'tenant_id', referencedColumnName: 'tenantId' },
  ])
  inviter?: Relation<MembershipEntity>;

  /** Lower case. */
  @Column('text')
  @Exported()
  @Audited()
  @Personal('member')
  email!: string;

  @Column('text')
  @Exported()
  @Audited()
  role!: Role;

  /** SHA-256 of the link's secret. */
  @Column('text')
  @NotExported('secret')
  secretDigest!: string;

  @Column('timestamptz')
  @Exported()
  @Audited()
  expiresAt!: Date;
}

import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, NotExported, Personal, Row } from '../../../common/database/index.js';
import { MembershipEntity } from '../membership.entity.js';

/** A log-in of a user in one browser, or of one program. */
@Entity('session')
@NotExported('person')
@Personal('member')
@Unique(['secretHash'])
@Index(['userId', 'id'])
export class SessionEntity extends Row {
  @Column('uuid')
  userId!: string;

  /** The current tenant of the session. */
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => MembershipEntity, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'user_id', referencedColumnName: 'userId' },
    { name: 'tenant_id', referencedColumnName: 'tenantId' },
  ])
  membership?: Relation<MembershipEntity>;

  /** Name that the program gave when it logged in; null for a browser. */
  @Column('text', { nullable: true })
  @Audited()
  name!: string | null;

  /** SHA-256 of the cookie's value, hex. */
  @Column('text')
  secretHash!: string;

  @Column('timestamptz')
  @Audited()
  expiresAt!: Date;

  /** When the session last showed its user's second factor; null if never. */
  @Column('timestamptz', { nullable: true })
  secondFactorAt!: Date | null;

  /** To the minute; null for a session from before this was noted, until it is used again. */
  @Column('timestamptz', { nullable: true })
  lastSeenAt!: Date | null;

  /** Browser and system at the last use, such as “Firefox 130 on Linux”; null when unknown. */
  @Column('text', { nullable: true })
  device!: string | null;

  /** Country at the last use, as two letters; null when unknown. */
  @Column('text', { nullable: true })
  country!: string | null;
}

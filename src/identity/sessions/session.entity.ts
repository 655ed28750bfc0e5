import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { MembershipEntity } from '../accounts/membership.entity.js';

/** A log-in of a user in one browser. */
@Entity('session')
@Unique(['secretHash'])
@Index(['userId'])
export class SessionEntity extends Row {
  @Column('uuid')
  userId!: string;

  /** The tenant that the session looks at. */
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => MembershipEntity, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'user_id', referencedColumnName: 'userId' },
    { name: 'tenant_id', referencedColumnName: 'tenantId' },
  ])
  membership?: Relation<MembershipEntity>;

  /** SHA-256 of the cookie's value, hex. */
  @Column('text')
  secretHash!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}

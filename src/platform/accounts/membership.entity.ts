import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import type { Role } from '../../common/access/index.js';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

/** A user's membership of a tenant. Sessions at the tenant, and tokens that the user created there, are deleted with it. */
@Entity('membership')
@Unique(['userId', 'tenantId'])
@Index(['tenantId', 'id'])
export class MembershipEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  user?: Relation<UserEntity>;

  @Column('text')
  role!: Role;
}

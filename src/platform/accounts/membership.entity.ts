import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import type { Role } from '../../common/access/index.js';
import { Audited, Exported, NotExported, Row } from '../../common/database/index.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

/** A user's membership of a tenant. Sessions at the tenant, and tokens that the user created there, are deleted with it. */
@Entity('membership')
@Unique(['userId', 'tenantId'])
@Index(['tenantId', 'id'])
export class MembershipEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  @Exported({ joined: { email: (row) => `select email from tenant_user where id = ${row}.user_id` } })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  user?: Relation<UserEntity>;

  @Column('text')
  @Exported()
  @Audited()
  role!: Role;
}

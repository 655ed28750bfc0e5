import { Column, Entity, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from './tenant.entity.js';

/** A person who logs in. */
@Entity('tenant_user')
@Unique(['email'])
export class UserEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  /** Lower case. */
  @Column('text')
  email!: string;

  /** Argon2id, PHC string. */
  @Column('text')
  passwordHash!: string;
}

import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../../common/database/index.js';
import { TenantEntity } from '../../../platform/accounts/index.js';

/** The scheduled deletion of a tenant, and the work lock of the worker that carries it out. */
@Entity('tenant_deletion')
@NotExported('leaving')
@Unique(['tenantId'])
@Index(['dueAt'])
export class TenantDeletionEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  /** E-mail address of the owner who requested it. */
  @Column('text')
  @Personal('member')
  requestedBy!: string;

  /** When the tenant is deleted. From then on the deletion cannot be canceled. */
  @Column('timestamptz')
  dueAt!: Date;

  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}

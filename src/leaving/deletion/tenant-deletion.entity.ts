import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from '../../identity/index.js';

/** That a tenant will be deleted, and the lease of the worker that does it. */
@Entity('tenant_deletion')
@Unique(['tenantId'])
@Index(['dueAt'])
export class TenantDeletionEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  /** E-mail address of the owner who asked for it. */
  @Column('text')
  requestedBy!: string;

  /** From then on nothing can be called off. */
  @Column('timestamptz')
  dueAt!: Date;

  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}

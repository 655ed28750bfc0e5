import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import type { ProcessorId } from '../../payments/index.js';

/** A product that a seller sells with the same account, and that has nothing to do with an extension. */
@Entity('unrelated_product')
@Unique(['tenantId', 'processor', 'productId'])
export class UnrelatedProductEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  @Audited()
  processor!: ProcessorId;

  @Column('text')
  @Exported()
  productId!: string;
}

import { Column, Entity, Unique } from 'typeorm';
import { NotExported, Row } from '../../common/database/index.js';
import type { StoreId } from '../../stores/index.js';

/** Words in which a store refused packages that no rule had found fault with, without what was a tenant's own in them. */
@Entity('package_refusal')
@Unique(['store', 'words'])
@NotExported('service')
export class PackageRefusalEntity extends Row {
  @Column('text')
  store!: StoreId;

  @Column('text')
  words!: string;

  @Column('integer')
  count!: number;
}

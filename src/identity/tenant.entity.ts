import { Column, Entity } from 'typeorm';
import { Row } from '../common/database/index.js';

/** An author or a team: the owner of everything. */
@Entity('tenant')
export class TenantEntity extends Row {
  @Column('text')
  name!: string;

  /** A name of `TENANT_PLANS`. */
  @Column('text')
  plan!: string;
}

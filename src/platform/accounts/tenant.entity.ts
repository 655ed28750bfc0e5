import { Column, Entity } from 'typeorm';
import { Row } from '../../common/database/index.js';

/** An author or a team, which owns everything else. */
@Entity('tenant')
export class TenantEntity extends Row {
  @Column('text')
  name!: string;

  /** One of `TENANT_QUOTAS`. */
  @Column('text')
  quota!: string;
}

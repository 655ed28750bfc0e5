import { Column, Entity } from 'typeorm';
import { Audited, Exported, Row } from '../../common/database/index.js';

/** An author or a team, which owns everything else. */
@Entity('tenant')
export class TenantEntity extends Row {
  @Column('text')
  @Exported()
  @Audited()
  name!: string;

  /** One of `TENANT_QUOTAS`. */
  @Column('text')
  @Exported()
  @Audited()
  quota!: string;
}

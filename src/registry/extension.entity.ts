import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../common/database/index.js';
import { TenantEntity } from '../platform/accounts/index.js';

/** A browser extension of a tenant. */
@Entity('extension')
@Unique(['tenantId', 'nameKey'])
@Index(['tenantId', 'id'])
export class ExtensionEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  @Audited()
  name!: string;

  /** The name as it is compared: normalized and in lower case. */
  @Column('text')
  @NotExported('derived')
  nameKey!: string;

  @Column('boolean')
  @Exported()
  @Audited()
  licensingEnabled!: boolean;

  /** Days after which another device can take over an idle seat; null means never. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  seatIdleDays!: number | null;

  /** Days for which a device that holds a seat may use a replaced code. */
  @Column('integer')
  @Exported()
  @Audited()
  replacedCodeDays!: number;

  @Column('integer')
  @Exported()
  @Audited()
  offlineGraceDays!: number;

  /** Mails with a code have a button that activates the extension in the browser that opens it. */
  @Column('boolean', { default: false })
  @Exported()
  @Audited()
  activationLink!: boolean;

  @Column('boolean')
  @Exported()
  @Audited()
  analyticsEnabled!: boolean;

  /** Nothing is sent to a store that another person than the one who pushed it has not approved. */
  @Column('boolean', { default: false })
  @Exported()
  @Audited()
  approvalRequired!: boolean;
}

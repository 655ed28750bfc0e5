import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../common/database/index.js';
import { TenantEntity } from '../platform/accounts/index.js';
import type { ProviderId } from './credential-providers.js';

/** A tenant's secrets for one store or payment processor, sealed. */
@Entity('credential')
@Index(['tenantId', 'id'])
@Index('credential_expires_idx', ['store', 'expiresAt'], { where: 'expires_at IS NOT NULL' })
export class CredentialEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  @Audited()
  store!: ProviderId;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  label!: string | null;

  /** The account at the store. */
  @Column('text')
  @Exported()
  identity!: string;

  @Column('text')
  @Exported()
  lastFour!: string;

  /** Id of the account in the addresses of the store's pages; null where these name none. */
  @Column('text', { nullable: true })
  @Exported()
  account!: string | null;

  /** Of a payment processor: its sales of the test mode make licenses, too. */
  @Column('boolean', { default: false })
  @Exported()
  acceptsTests!: boolean;

  @Column('timestamptz')
  @Exported()
  verifiedAt!: Date;

  /** False while only the key is known to work, and not that it is the account's. */
  @Column('boolean', { default: true })
  @Exported()
  accountProven!: boolean;

  /** When the store refused it first; null while it accepts it. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  refusedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  @Exported()
  @Audited()
  expiresAt!: Date | null;

  /** JWE, bound to this row's id. */
  @Column('text')
  @NotExported('secret')
  sealed!: string;
}

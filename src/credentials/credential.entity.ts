import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../platform/accounts/index.js';
import type { ProviderId } from './credential-providers.js';

/** A tenant's secrets for one store or payment processor, sealed. */
@Entity('credential')
@Index(['tenantId', 'id'])
@Index('credential_expires_idx', ['store', 'expiresAt'], { where: 'expires_at IS NOT NULL' })
export class CredentialEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  store!: ProviderId;

  @Column('text', { nullable: true })
  label!: string | null;

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('text')
  lastFour!: string;

  @Column('timestamptz')
  verifiedAt!: Date;

  /** When the store refused it first; null while it accepts it. */
  @Column('timestamptz', { nullable: true })
  refusedAt!: Date | null;

  /** The account at the store. */
  @Column('text')
  identity!: string;

  /** Id of the account in the addresses of the store's pages; null where these name none. */
  @Column('text', { nullable: true })
  account!: string | null;

  /** Of a payment processor: its sales of the test mode make licenses, too. */
  @Column('boolean', { default: false })
  acceptsTests!: boolean;

  /** JWE, bound to this row's id. */
  @Column('text')
  sealed!: string;
}

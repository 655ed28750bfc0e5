import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import { LicensePlanEntity, type OnEnd } from '../plans/index.js';
import type { Revocation, Suspension } from './license-status.js';

/** The source of a license that was not bought. */
export const ISSUED_BY_HAND = 'manual';

/** The `source` of a license of a batch; each license has its own. */
export const batchSource = (batchId: string, position: number): string =>
  `batch:${batchId}${position === 1 ? '' : `/${position}`}`;

/** The source of a license that was imported from another tool with an order. */
export const importSource = (order: string): string => `import:${order}`;

/** Delivery of the mail with a code: still to be sent, accepted by the mail server, or given up. */
export const DELIVERIES = ['waiting', 'sent', 'undelivered'] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** A license of a buyer. Transactions lock this row before they change it or who holds its seats. */
@Entity('license')
@Unique(['codeDigest'])
@Index(['tenantId', 'id'])
@Index('license_active_idx', ['tenantId', 'id', 'extensionId', 'expiresAt', 'graceDays', 'onEnd'], {
  where: "revoked_at IS NULL AND suspended_for = '{}'",
})
@Index('license_ending_idx', ['tenantId', 'expiresAt'], {
  where: "revoked_at IS NULL AND suspended_for = '{}' AND expires_at IS NOT NULL",
})
@Index('license_revoked_idx', ['tenantId', 'id'], { where: 'revoked_at IS NOT NULL' })
@Index('license_suspended_idx', ['tenantId', 'id'], { where: "revoked_at IS NULL AND suspended_for <> '{}'" })
@Index(['tenantId', 'buyerEmail', 'id'])
@Index('license_tenant_id_campaign_id_idx', ['tenantId', 'campaign', 'id'], { where: 'campaign IS NOT NULL' })
// Of the domain of the buyer's address, which TypeORM cannot describe.
@Index('license_tenant_id_buyer_domain_id_idx', { synchronize: false })
@Index(['tenantId', 'codeHint', 'id'])
@Index(['buyerEmail', 'id'])
@Index('license_delivery_id_idx', ['deliveryId'], { where: 'delivery_id IS NOT NULL' })
@Index('license_tenant_id_source_key', ['tenantId', 'source'], { unique: true, where: "source <> 'manual'" })
@Index(['extensionId', 'id'])
@Index(['planId'])
@Index(['updatedAt'])
@Index('license_test_idx', ['tenantId', 'id'], { where: 'is_test' })
@Index('license_expiry_event_at_idx', ['expiryEventAt'], { where: 'expiry_event_at IS NOT NULL' })
@Index('license_undelivered_idx', ['tenantId', 'id'], { where: "delivery = 'undelivered'" })
export class LicenseEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'RESTRICT' })
  extension?: Relation<ExtensionEntity>;

  @Column('uuid')
  @Exported()
  @Audited()
  planId!: string;

  @ManyToOne(() => LicensePlanEntity, { onDelete: 'RESTRICT' })
  plan?: Relation<LicensePlanEntity>;

  /**
   * The owner; null until there is one. In the order of its bytes, so that an index finds addresses by how they begin; so are the ends of codes.
   */
  @Column({ type: 'text', collation: 'C', nullable: true })
  @Exported()
  @Personal('buyer')
  buyerEmail!: string | null;

  /** The seller's name for the licenses that were issued for one occasion. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  campaign!: string | null;

  /** HMAC-SHA-256 of the code; the code itself is not stored. */
  @Column('bytea')
  @NotExported('secret')
  codeDigest!: Buffer;

  /** The id of the pepper, in CODE_PEPPERS, that made the digest. */
  @Column('text')
  @NotExported('secret')
  codePepper!: string;

  /** The last five symbols of the code. */
  @Column({ type: 'text', collation: 'C' })
  @Exported()
  codeHint!: string;

  /** `manual`, or `processor:id` with the processor's id of the purchase, unique per tenant. */
  @Column('text')
  @Exported()
  source!: string;

  @Column('timestamptz', { nullable: true })
  @Exported()
  @Audited()
  revokedAt!: Date | null;

  /** Cause of its revocation; set exactly when `revokedAt` is. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  revokedFor!: Revocation | null;

  /** Every reason for which it is suspended now. */
  @Column('text', { array: true })
  @Exported()
  @Audited()
  suspendedFor!: Suspension[];

  @Column('timestamptz', { nullable: true })
  @Exported()
  @Audited()
  expiresAt!: Date | null;

  /** How long it lasts from its first activation on; null once that has come, and for one that does not wait for it. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  duration!: string | null;

  /** Days that it goes on after its end: its plan's when it was issued. */
  @Column('integer', { default: 0 })
  @Exported()
  @Audited()
  graceDays!: number;

  /** Hours that it goes on after its paid end while its processor has not spoken; null where nothing renews it. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  renewalLeewayHours!: number | null;

  /** What its end means: its plan's when it was issued. */
  @Column('text', { default: 'expire' })
  @Exported()
  @Audited()
  onEnd!: OnEnd;

  /** Maximum number of devices; null takes the plan's. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  maxActivations!: number | null;

  /** Maximum number of people; null takes the plan's, 0 makes it no team. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  maxMembers!: number | null;

  /** Maximum number of devices of each of these people; null takes the plan's. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  seatsPerMember!: number | null;

  /** Delivery of the current code; null when no mail is sent. */
  @Column('text', { nullable: true })
  @Exported()
  delivery!: Delivery | null;

  /** It was sold in the processor's test mode. */
  @Column('boolean', { default: false })
  @Exported()
  isTest!: boolean;

  /** Features that it unlocks besides its plan's. */
  @Column('text', { array: true, default: [] })
  @Exported()
  @Audited()
  entitlements!: string[];

  /** Whatever the seller notes, perhaps about the buyer; the service only keeps it. */
  @Column('jsonb', { default: {} })
  @Exported()
  @Personal('buyer')
  metadata!: Record<string, string>;

  /** The id of that delivery, so that the outcome of an earlier code's delivery is ignored. */
  @Column('uuid', { nullable: true })
  @NotExported('derived')
  deliveryId!: string | null;

  /** When an event about its end is due; null when there is none to come. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  expiryEventAt!: Date | null;
}

import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from '../../identity/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import { PlanEntity } from '../plans/plan.entity.js';
import type { Revocation, Suspension } from './license-status.js';

/** Where a license comes from when no payment made it. */
export const ISSUED_BY_HAND = 'manual';

/** How far the mail with a code has come: still to be sent, taken by the mail server, or given up. */
export const DELIVERIES = ['waiting', 'sent', 'undelivered'] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** A code that was sold or given to a buyer. Whoever changes it or its seats holds this row's lock. */
@Entity('license')
@Unique(['codeDigest'])
@Index(['tenantId', 'id'])
@Index('license_standing_idx', ['tenantId', 'id', 'extensionId', 'expiresAt'], {
  where: "revoked_at IS NULL AND suspended_for = '{}'",
})
@Index('license_revoked_idx', ['tenantId', 'id'], { where: 'revoked_at IS NOT NULL' })
@Index('license_suspended_idx', ['tenantId', 'id'], { where: "revoked_at IS NULL AND suspended_for <> '{}'" })
@Index(['tenantId', 'buyerEmail', 'id'])
@Index(['buyerEmail', 'id'])
@Index('license_delivery_id_idx', ['deliveryId'], { where: 'delivery_id IS NOT NULL' })
@Index('license_tenant_id_source_key', ['tenantId', 'source'], { unique: true, where: "source <> 'manual'" })
@Index(['extensionId', 'id'])
@Index(['planId'])
export class LicenseEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'extension_id' })
  extension?: Relation<ExtensionEntity>;

  @Column('uuid')
  planId!: string;

  @ManyToOne(() => PlanEntity, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'plan_id' })
  plan?: Relation<PlanEntity>;

  @Column('text')
  buyerEmail!: string;

  /** HMAC-SHA-256 of the code; the code itself is nowhere. */
  @Column('bytea')
  codeDigest!: Buffer;

  /** Which of CODE_PEPPERS made the digest. */
  @Column('text')
  codePepper!: string;

  /** The last five symbols of the code. */
  @Column('text')
  codeHint!: string;

  /** `manual`, or what it was bought as: a processor's id of the purchase, `processor:id`, once per tenant. */
  @Column('text')
  source!: string;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  /** What revoked it; set exactly while `revokedAt` is. */
  @Column('text', { nullable: true })
  revokedFor!: Revocation | null;

  /** Every cause for which it is suspended now. */
  @Column('text', { array: true })
  suspendedFor!: Suspension[];

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** Devices, when other than the plan says. */
  @Column('integer', { nullable: true })
  maxActivations!: number | null;

  /** Of the present code; null when nobody sends it. */
  @Column('text', { nullable: true })
  delivery!: Delivery | null;

  /** Which delivery that is: what became of an earlier one, of an earlier code, says nothing any more. */
  @Column('uuid', { nullable: true })
  deliveryId!: string | null;
}

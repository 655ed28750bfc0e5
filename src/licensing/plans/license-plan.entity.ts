import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import type { DurationStart, NoticeDays, OnEnd } from './term.js';

/** A license plan of an extension: a tier, and how many devices a license allows. */
@Entity('plan')
@Unique(['extensionId', 'tier'])
@Index('plan_extension_id_trial_key', ['extensionId'], { unique: true, where: 'trial_days IS NOT NULL' })
export class LicensePlanEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  /** Never changed, because shipped extensions compare it. */
  @Column('text')
  @Exported()
  @Audited()
  tier!: string;

  @Column('integer')
  @Exported()
  @Audited()
  maxActivations!: number;

  /** Features that every license of the plan unlocks. */
  @Column('text', { array: true, default: [] })
  @Exported()
  @Audited()
  entitlements!: string[];

  /** Whatever the seller notes; the service only keeps it. */
  @Column('jsonb', { default: {} })
  @Exported()
  @Audited()
  metadata!: Record<string, string>;

  /** How long a license without an end of its own lasts, in ISO 8601, such as `P1Y`; null for ever. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  duration!: string | null;

  @Column('text', { default: 'issue' })
  @Exported()
  @Audited()
  durationFrom!: DurationStart;

  /** Days that a license goes on after its end. */
  @Column('integer', { default: 0 })
  @Exported()
  @Audited()
  graceDays!: number;

  @Column('text', { default: 'expire' })
  @Exported()
  @Audited()
  onEnd!: OnEnd;

  /** Hours that a license goes on after its paid end while its processor has not spoken; null for RENEWAL_LEEWAY_HOURS. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  renewalLeewayHours!: number | null;

  /** How many days before the end of a license its buyer gets a mail; none by default. */
  @Column('integer', { array: true, default: [] })
  @Exported()
  @Audited()
  noticeDays!: NoticeDays[];

  /** The seller's own words in these mails. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  noticeText!: string | null;

  /** How long a device may use the plan without a license, once; null for no trial. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  trialDays!: number | null;

  /** A trial starts only once its user has confirmed an address. */
  @Column('boolean', { default: false })
  @Exported()
  @Audited()
  trialNeedsEmail!: boolean;

  /** Maximum number of people on a license, besides its buyer; null when its licenses are for one person. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  maxMembers!: number | null;

  /** Maximum number of devices of each of these people; null when all share those of the license. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  seatsPerMember!: number | null;
}

/** Effect of a product's quantity: that many times the plan's seats on one license, or that many licenses. */
export const UNITS = ['seats', 'license'] as const;
export type Unit = (typeof UNITS)[number];

/** A product that a payment processor sells as this plan. It belongs to one plan of each extension: a bundle is sold for several. */
@Entity('plan_product')
@Unique('plan_product_tenant_product_extension_key', ['tenantId', 'processor', 'productId', 'extensionId'])
@Index(['planId'])
export class LicensePlanProductEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @Column('uuid')
  @Exported()
  planId!: string;

  /** The plan's, which never changes. */
  @Column('uuid')
  @NotExported('owner')
  extensionId!: string;

  @ManyToOne(() => LicensePlanEntity, { onDelete: 'CASCADE' })
  plan?: Relation<LicensePlanEntity>;

  @Column('text')
  @Exported()
  @Audited({ of: 'plan', as: 'products' })
  processor!: string;

  /** The processor's id of what is sold, such as a price, a product, a variant or a payment link. */
  @Column('text')
  @Exported()
  @Audited({ of: 'plan', as: 'products' })
  productId!: string;

  /** Its place in the tenant's list. */
  @Column('integer')
  @Exported()
  position!: number;

  @Column('text', { default: 'seats' })
  @Exported()
  @Audited({ of: 'plan', as: 'products' })
  perUnit!: Unit;

  /** Address of the checkout to which extensions send their users; null for none. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited({ of: 'plan', as: 'products' })
  checkoutUrl!: string | null;
}

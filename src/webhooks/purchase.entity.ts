import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../identity/index.js';
import { LicenseEntity } from '../licensing/index.js';
import type { ProcessorId } from '../payments/index.js';
import { readPaid, type PaidLicense } from './apply-payment.js';

/** All that a processor has said of one purchase, and the license that it made. */
@Entity('purchase')
@Index(['tenantId', 'processor', 'customerId'])
@Index(['licenseId'])
@Index('purchase_erased_idx', ['tenantId', 'processor', 'customerId'], { where: 'erased_at IS NOT NULL' })
export class PurchaseEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  processor!: ProcessorId;

  @Column('jsonb', { transformer: { from: readPaid, to: (paid: PaidLicense) => paid } })
  paid!: PaidLicense;

  @Column('text', { nullable: true })
  customerId!: string | null;

  /** When the first license was issued. */
  @Column('timestamptz', { nullable: true })
  issuedAt!: Date | null;

  /** What of it makes no license, and what to do about it; null when nothing is left over. */
  @Column('text', { nullable: true })
  unmapped!: string | null;

  /** The first license, for the version before, which knew of no other. */
  @Column('uuid', { nullable: true })
  licenseId!: string | null;

  @ManyToOne(() => LicenseEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'license_id' })
  license?: Relation<LicenseEntity>;

  /** When its buyer was erased with the last license: whatever is told of the purchase since is kept without a person. */
  @Column('timestamptz', { nullable: true })
  erasedAt!: Date | null;
}

/** One of the licenses that a purchase makes. It outlives its license, so that one that the tenant deletes is not issued again. */
@Entity('purchase_license')
@Index(['licenseId'])
export class PurchaseLicenseEntity {
  @PrimaryColumn('uuid')
  purchaseId!: string;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'purchase_id' })
  purchase?: Relation<PurchaseEntity>;

  @PrimaryColumn('integer')
  position!: number;

  /** The plan that it is for; no reference, since the plan may go once the license has. */
  @Column('uuid', { nullable: true })
  planId!: string | null;

  /** How many times the plan's seats it has. */
  @Column('integer')
  units!: number;

  @Column('uuid', { nullable: true })
  licenseId!: string | null;

  @ManyToOne(() => LicenseEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'license_id' })
  license?: Relation<LicenseEntity>;

  /** When the purchase stopped being for it. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}

/** One of the names that a processor has for a purchase: order, subscription, payment, invoice … */
@Entity('purchase_ref')
@Index(['purchaseId'])
export class PurchaseRefEntity {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @PrimaryColumn('text')
  processor!: ProcessorId;

  /** `kind:id` */
  @PrimaryColumn('text')
  ref!: string;

  @Column('uuid')
  purchaseId!: string;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'purchase_id' })
  purchase?: Relation<PurchaseEntity>;
}

/** The e-mail address of a processor's customer, where purchases name the customer alone. */
@Entity('payment_customer')
export class PaymentCustomerEntity {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @PrimaryColumn('text')
  processor!: ProcessorId;

  @PrimaryColumn('text')
  customerId!: string;

  @Column('text')
  email!: string;

  @Column('timestamptz')
  saidAt!: Date;
}

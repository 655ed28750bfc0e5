import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../identity/index.js';
import { LicenseEntity } from '../licensing/index.js';
import type { ProcessorId } from '../payments/index.js';
import type { PaidLicense } from './apply-payment.js';

/** All that a processor has said of one purchase, and the license that it made. */
@Entity('purchase')
@Index(['tenantId', 'processor', 'customerId'])
@Index(['licenseId'])
export class PurchaseEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  processor!: ProcessorId;

  @Column('jsonb')
  paid!: PaidLicense;

  @Column('text', { nullable: true })
  customerId!: string | null;

  /** Set for good: a license that the tenant has deleted is not issued again. */
  @Column('timestamptz', { nullable: true })
  issuedAt!: Date | null;

  @Column('uuid', { nullable: true })
  licenseId!: string | null;

  @ManyToOne(() => LicenseEntity, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'license_id' })
  license?: Relation<LicenseEntity>;
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

import { Column, Entity, Index, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { LicenseEntity } from '../../licensing/index.js';
import type { ProcessorId } from '../../payments/index.js';
import type { Declined } from './named-license.js';
import type { Origin } from './license-turns.js';
import { type MoneyMove, type PaymentRecord, readRecord } from '../ledger/index.js';

/** A processor's statements about one purchase. */
@Entity('purchase')
@Index(['tenantId', 'id'])
@Index(['tenantId', 'processor', 'id'])
@Index(['tenantId', 'buyer', 'id'])
// Of the kind that finds words by how they begin, which TypeORM cannot describe.
@Index('purchase_buyer_words_idx', { synchronize: false })
@Index(['tenantId', 'orderedAt'])
@Index(['tenantId', 'updatedAt'])
@Index(['tenantId', 'processor', 'customerId'])
@Index('purchase_erased_idx', ['tenantId', 'processor', 'customerId'], { where: 'erased_at IS NOT NULL' })
export class PurchaseEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  @Audited()
  processor!: ProcessorId;

  @Column('jsonb', { transformer: { to: (paid: PaymentRecord) => paid, from: readRecord } })
  @Exported()
  @Personal('buyer')
  paid!: PaymentRecord;

  @Column('text', { nullable: true })
  @Exported()
  customerId!: string | null;

  /** When the first license was issued. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  issuedAt!: Date | null;

  /** Items without a license, and advice about them; null when all have one. */
  @Column('text', { nullable: true })
  @Exported()
  unmapped!: string | null;

  /** Why the license that it names was not upgraded; null when it was, or none is named. */
  @Column('text', { nullable: true })
  @Exported()
  declined!: Declined | null;

  /** The buyer's e-mail address, where it is known. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('buyer')
  buyer!: string | null;

  /** The words of the buyer's name, by which it is searched. */
  @Column('tsvector', { nullable: true })
  @NotExported('derived')
  @Personal('buyer')
  buyerWords!: string | null;

  /** It is from the test mode of its processor. */
  @Column('boolean')
  @Exported()
  isTest!: boolean;

  /** When it was paid first; null while nothing was, and it is no order. */
  @Column('timestamptz', { nullable: true })
  @NotExported('derived')
  orderedAt!: Date | null;

  /** Until when its subscription is paid or given; null for one that is over, and for what is no subscription. */
  @Column('timestamptz', { nullable: true })
  @NotExported('derived')
  subscribedUntil!: Date | null;

  /** Its movements of money, for sums. */
  @Column('jsonb')
  @NotExported('derived')
  moves!: readonly MoneyMove[];

  /** When the buyer was erased with the last license; what arrives later is kept without personal data. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  erasedAt!: Date | null;
}

/** What a license was before another purchase took it over. */
export interface FormerLicense {
  readonly planId: string;
  /** In ISO 8601. */
  readonly expiresAt: string | null;
  /** How long it lasts from its first activation on. */
  readonly duration: string | null;
  readonly maxActivations: number | null;
  /** No purchase had paid for it. */
  readonly wasUnpaid: boolean;
  /** The turn that it was in; null for none. */
  readonly turn: string | null;
}

/** One of the licenses of a purchase. The row outlives the license, so that a deleted license is not issued again. */
@Entity('purchase_license')
@Index(['licenseId'])
export class PurchaseLicenseEntity {
  @PrimaryColumn('uuid')
  @Exported()
  purchaseId!: string;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'CASCADE' })
  purchase?: Relation<PurchaseEntity>;

  @PrimaryColumn('integer')
  @Exported()
  position!: number;

  /** The license's plan; no foreign key, because the plan can be deleted once the license is. */
  @Column('uuid', { nullable: true })
  @Exported()
  planId!: string | null;

  /** Multiplies the plan's seats. */
  @Column('integer')
  @Exported()
  units!: number;

  /** It is for what was sold once to a subscriber, and does not end with the subscription. */
  @Column('boolean')
  @Exported()
  isOnce!: boolean;

  /** Its products, by their most general ids; empty where that is not known. */
  @Column('text', { array: true })
  @Exported()
  products!: readonly string[];

  @Column('uuid', { nullable: true })
  @Exported()
  licenseId!: string | null;

  @ManyToOne(() => LicenseEntity, { onDelete: 'SET NULL' })
  license?: Relation<LicenseEntity>;

  /** When the purchase stopped including it. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  endedAt!: Date | null;

  @Column('text', { default: 'made' })
  @Exported()
  origin!: Origin;

  /** Since when another purchase pays for the license. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  passedAt!: Date | null;

  /** When the purchase got another license in place of one that it had passed on. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  leftAt!: Date | null;

  /** The license before this purchase took it over. */
  @Column('jsonb', { nullable: true })
  @Exported()
  former!: FormerLicense | null;
}

export type PurchaseLicenseRow = Omit<PurchaseLicenseEntity, 'purchase' | 'license'>;

/** The columns of a license of a purchase that nothing has happened to. */
export const NEW_SLOT = { endedAt: null, origin: 'made', passedAt: null, leftAt: null, former: null } as const;

/** One of the processor's ids of a purchase: of an order, subscription, payment, invoice … */
@Entity('purchase_ref')
@Index(['purchaseId'])
export class PurchaseRefEntity {
  @PrimaryColumn('uuid')
  @NotExported('owner')
  tenantId!: string;

  @PrimaryColumn('text')
  @Exported()
  processor!: ProcessorId;

  /** `kind:id`, in the order of its bytes, so that an index finds ids by how they begin. */
  @PrimaryColumn('text', { collation: 'C' })
  @Exported()
  ref!: string;

  @Column('uuid')
  @Exported()
  purchaseId!: string;

  @ManyToOne(() => PurchaseEntity, { onDelete: 'CASCADE' })
  purchase?: Relation<PurchaseEntity>;
}

export type PurchaseRefRow = Omit<PurchaseRefEntity, 'purchase'>;

/** The e-mail address of a processor's customer, for purchases that name only the customer. */
@Entity('payment_customer')
export class PaymentCustomerEntity {
  @PrimaryColumn('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @PrimaryColumn('text')
  @Exported()
  processor!: ProcessorId;

  @PrimaryColumn('text')
  @Exported()
  customerId!: string;

  @Column('text')
  @Exported()
  @Personal('buyer')
  email!: string;

  @Column('timestamptz')
  @Exported()
  emailReportedAt!: Date;
}

/**
 * The e-mail address of a customer whose purchases are all erased. It may precede a new purchase that names only the customer, so it is kept for a
 * day, encrypted.
 */
@Entity('returning_customer')
@NotExported('secret')
@Unique(['tenantId', 'processor', 'customerId'])
export class ReturningCustomerEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  processor!: ProcessorId;

  @Column('text')
  customerId!: string;

  /** The e-mail address, sealed for this row's id. */
  @Column('text')
  @Personal('buyer')
  sealed!: string;

  @Column('timestamptz')
  emailReportedAt!: Date;
}

/** A returning customer without relations. */
export type ReturningCustomerRow = Omit<ReturningCustomerEntity, 'tenant'>;

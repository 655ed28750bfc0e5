import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, NotExported, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import { LicensePlanEntity } from '../plans/index.js';
import type { BatchDelivery } from './batch-wish.js';

/** Licenses that one request issued. Its row keeps a repetition of the request from issuing them again. */
@Entity('license_batch')
@NotExported('derived')
@Unique(['tenantId', 'idempotencyKey'])
@Index(['extensionId'])
@Index(['planId'])
@Index('license_batch_sealed_idx', ['createdAt'], { where: 'sealed IS NOT NULL' })
export class LicenseBatchEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('uuid')
  @Audited()
  planId!: string;

  @ManyToOne(() => LicensePlanEntity, { onDelete: 'CASCADE' })
  plan?: Relation<LicensePlanEntity>;

  @Column('text', { nullable: true })
  @Audited()
  campaign!: string | null;

  @Column('text')
  @Audited()
  delivery!: BatchDelivery;

  /** Number of licenses. */
  @Column('integer')
  @Audited()
  count!: number;

  /** The caller's `Idempotency-Key`. */
  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** What a repetition is answered with, sealed for this row's id; null without a key, and after a day. */
  @Column('text', { nullable: true })
  sealed!: string | null;
}

import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';

/** What a buyer gets of an extension: a tier, and how many devices may use it. */
@Entity('plan')
@Unique(['extensionId', 'tier'])
export class PlanEntity extends Row {
  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'extension_id' })
  extension?: Relation<ExtensionEntity>;

  /** Built into extensions that were shipped, and therefore never changed. */
  @Column('text')
  tier!: string;

  @Column('integer')
  maxActivations!: number;
}

/** What a quantity of a product is: so many times the plan's seats on one license, or so many licenses. */
export const UNITS = ['seats', 'license'] as const;
export type Unit = (typeof UNITS)[number];

/** What a payment processor sells as this plan. One thing sold belongs to one plan of its tenant. */
@Entity('plan_product')
@Unique(['tenantId', 'processor', 'productId'])
@Index(['planId'])
export class PlanProductEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @Column('uuid')
  planId!: string;

  @ManyToOne(() => PlanEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'plan_id' })
  plan?: Relation<PlanEntity>;

  @Column('text')
  processor!: string;

  /** A Stripe price, product or payment link, a Paddle price or product, a Lemon Squeezy variant or product, a Polar product. */
  @Column('text')
  productId!: string;

  @Column('text', { default: 'seats' })
  perUnit!: Unit;

  /** Where it stands in the list as the tenant gave it. */
  @Column('integer')
  position!: number;
}

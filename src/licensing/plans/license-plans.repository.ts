import { Injectable } from '@nestjs/common';
import { In, type Repository, type SelectQueryBuilder } from 'typeorm';
import type { ProcessorId } from '../../common/config/index.js';
import { onConstraint, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { LicensesIssued } from '../../registry/index.js';
import { ProductTaken, TierExists, TrialOffered } from '../licensing.problems.js';
import { LicensePlanEntity, LicensePlanProductEntity } from './license-plan.entity.js';

/** A checkout of a plan; null where the plan has none. */
export type FoundCheckout =
  | { readonly processor: ProcessorId; readonly checkoutUrl: string }
  | { readonly processor: null; readonly checkoutUrl: null };

/** A plan without its relations. */
export type PlanRow = Omit<LicensePlanEntity, 'extension'>;
/** A product without its relations. */
export type PlanProductRow = Omit<LicensePlanProductEntity, 'plan'>;

const ONE_TRIAL = { plan_extension_id_trial_key: () => new TrialOffered() };

/** License plans, and the products that payment processors sell as each. */
@Injectable()
export class LicensePlansRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a plan. */
  async insert(plan: PlanRow): Promise<void> {
    await onConstraint(() => this.plans.insert(plan), {
      plan_extension_id_tier_key: () => new TierExists(plan.tier),
      ...ONE_TRIAL,
    });
  }

  count(extensionId: string): Promise<number> {
    return this.plans.countBy({ extensionId });
  }

  /** Lists the plans of a tenant, or of one of the tenant's extensions: one row more than the page holds, newest first. */
  list(
    tenantId: string,
    extension: string | undefined,
    { limit, after }: PageStart,
  ): Promise<readonly LicensePlanEntity[]> {
    return (
      this.plans
        .createQueryBuilder('plan')
        // PostgreSQL makes an array once. It might evaluate a join for every plan of every tenant.
        .where('plan.extension_id = any(array(select id from extension where tenant_id = :tenantId))', { tenantId })
        .andWhere('plan.id < :after', { after })
        .andWhere(extension === undefined ? 'true' : 'plan.extension_id = :extension', { extension })
        .orderBy('plan.id', 'DESC')
        .limit(limit + 1)
        .getMany()
    );
  }

  /** Lists all plans of an extension. */
  listOf(extensionId: string): Promise<readonly LicensePlanEntity[]> {
    return this.plans.findBy({ extensionId });
  }

  /** Lists the ids and tiers of a tenant's plans. */
  listTiers(tenantId: string): Promise<readonly Pick<LicensePlanEntity, 'id' | 'tier'>[]> {
    return this.plans
      .createQueryBuilder('plan')
      .select(['plan.id', 'plan.tier'])
      .where('plan.extension_id = any(array(select id from extension where tenant_id = :tenantId))', { tenantId })
      .getMany();
  }

  find(tenantId: string, id: string): Promise<LicensePlanEntity | null> {
    return this.own(tenantId, [id]).getOne();
  }

  findForUpdate(tenantId: string, id: string): Promise<LicensePlanEntity | null> {
    return this.own(tenantId, [id]).setLock('pessimistic_write', undefined, ['plan']).getOne();
  }

  findForShare(tenantId: string, id: string): Promise<LicensePlanEntity | null> {
    return this.own(tenantId, [id]).setLock('pessimistic_read', undefined, ['plan']).getOne();
  }

  /** Finds those of the plans that are the tenant's. */
  async findAll(tenantId: string, ids: readonly string[]): Promise<readonly LicensePlanEntity[]> {
    return ids.length === 0 ? [] : this.own(tenantId, ids).getMany();
  }

  /** Reads the plans of licenses, by their ids. */
  async findByIds(ids: Iterable<string>): Promise<ReadonlyMap<string, LicensePlanEntity>> {
    return new Map((await this.plans.findBy({ id: In([...ids]) })).map((plan) => [plan.id, plan]));
  }

  /** Reads the plan of a license. */
  get(id: string): Promise<LicensePlanEntity> {
    return this.plans.findOneByOrFail({ id });
  }

  async save(plan: LicensePlanEntity): Promise<void> {
    await onConstraint(() => this.plans.save(plan), ONE_TRIAL);
  }

  /** Deletes one plan, or every plan of an extension. */
  async delete(which: { readonly id: string } | { readonly extensionId: string }): Promise<void> {
    await onConstraint(() => this.plans.delete(which), { license_plan_id_fkey: () => new LicensesIssued() });
  }

  /** Reads the products of plans in the tenant's order, by plan. */
  async productsOf(planIds: readonly string[]): Promise<ReadonlyMap<string, readonly LicensePlanProductEntity[]>> {
    const rows = await this.products.find({
      where: { planId: In([...planIds]) },
      order: { planId: 'ASC', position: 'ASC' },
    });
    const byPlan = new Map<string, LicensePlanProductEntity[]>();
    for (const row of rows) byPlan.set(row.planId, [...(byPlan.get(row.planId) ?? []), row]);
    return byPlan;
  }

  /** Replaces the products of a plan. */
  async replaceProducts(planId: string, products: readonly PlanProductRow[]): Promise<void> {
    await this.products.delete({ planId });
    await onConstraint(() => this.products.insert([...products]), {
      plan_product_tenant_product_extension_key: () => new ProductTaken(),
    });
  }

  /** Finds the tenant's products of a processor, each with its plan. */
  async findProducts(
    tenantId: string,
    processor: string,
    productIds: readonly string[],
  ): Promise<readonly LicensePlanProductEntity[]> {
    if (productIds.length === 0) return [];
    return this.products.find({
      where: { tenantId, processor, productId: In([...productIds]) },
      relations: { plan: true },
      order: { id: 'ASC' },
    });
  }

  /**
   * Finds the first checkout of an extension's tier, optionally at one processor. Raw SQL: one statement for three tables.
   * @returns null when there is no such extension, or licensing is turned off for it
   */
  async findCheckout(extensionId: string, tier: string, processor: ProcessorId | null): Promise<FoundCheckout | null> {
    const [row = null] = await this.tx.query<FoundCheckout>(
      `select plan_product.processor, plan_product.checkout_url as "checkoutUrl"
         from extension
         left join plan on plan.extension_id = extension.id and plan.tier = $2
         left join plan_product on plan_product.plan_id = plan.id and plan_product.checkout_url is not null
                               and plan_product.processor = coalesce($3, plan_product.processor)
        where extension.id = $1 and extension.licensing_enabled
        order by plan_product.position
        limit 1`,
      [extensionId, tier, processor],
    );
    return row;
  }

  private own(tenantId: string, ids: readonly string[]): SelectQueryBuilder<LicensePlanEntity> {
    return this.plans
      .createQueryBuilder('plan')
      .innerJoin('plan.extension', 'extension')
      .where('plan.id = any(:ids) and extension.tenant_id = :tenantId', { ids, tenantId });
  }

  private get plans(): Repository<LicensePlanEntity> {
    return this.tx.repository(LicensePlanEntity);
  }

  private get products(): Repository<LicensePlanProductEntity> {
    return this.tx.repository(LicensePlanProductEntity);
  }
}

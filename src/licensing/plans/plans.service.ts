import { Injectable, type OnModuleInit } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, onConstraint, Transactions } from '../../common/database/index.js';
import { idOrAbsent, readPage, toPage, type Page } from '../../common/fields/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { AccountsService } from '../../identity/index.js';
import { ExtensionsService, LicensesIssued } from '../../registry/index.js';
import { LicensePlanLimitReached, PlanNotFound, ProductTaken, TierExists } from '../licensing.problems.js';
import { KnownExtensions } from '../seats/known-extensions.js';
import { PlanEntity, PlanProductEntity, type Unit } from './plan.entity.js';
import { DEFAULT_SEATS, type CreatePlan, type ListPlans, type Plan, type PlanProduct } from './plans.dto.js';

/** Plans, by what a purchase says of them. */
interface SoldPlans {
  named(planId: string): PlanEntity | null;
  /** @param productIds the most specific first */
  listing(productIds: readonly string[]): { readonly plan: PlanEntity; readonly perUnit: Unit } | null;
}

/** The plans of each extension, and what payment processors sell as each. */
@Injectable()
export class PlansService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly extensions: ExtensionsService,
    private readonly known: KnownExtensions,
  ) {}

  onModuleInit(): void {
    // Plans go with their extension, unless licenses of one stand against it.
    this.extensions.deleting.add(async ({ id }) => {
      await this.unlessLicensed(() => this.tx.repository(PlanEntity).delete({ extensionId: id }));
    });
  }

  /** @throws ExtensionNotFound, TierExists, LicensePlanLimitReached */
  async create(tenantId: string, input: CreatePlan): Promise<Plan> {
    return this.tx.run(async () => {
      const { id: extensionId } = await this.extensions.mustExist(tenantId, input.extensionId);
      const count = (): Promise<number> => this.tx.repository(PlanEntity).countBy({ extensionId });
      await this.accounts.enforceLimit(tenantId, this.config.maxPlansPerExtension, count, LicensePlanLimitReached);
      const row = {
        ...newRow(this.clock.now()),
        extensionId,
        tier: input.tier,
        maxActivations: input.maxActivations ?? DEFAULT_SEATS,
      };
      await onConstraint(() => this.tx.repository(PlanEntity).insert(row), {
        plan_extension_id_tier_key: () => new TierExists(input.tier),
      });
      this.known.forget(extensionId);
      return toPlan(row, []);
    });
  }

  /** Newest first. @throws ExtensionNotFound */
  async list(tenantId: string, query: ListPlans): Promise<Page<Plan>> {
    if (query.extension !== undefined) await this.extensions.mustExist(tenantId, query.extension);
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(PlanEntity)
      .createQueryBuilder('plan')
      // An array is made once: as a join it may be asked of every plan of every tenant.
      .where('plan.extension_id = any(array(select id from extension where tenant_id = :tenantId))', { tenantId })
      .andWhere('plan.id < :after', { after })
      .andWhere(query.extension === undefined ? 'true' : 'plan.extension_id = :extension', {
        extension: query.extension,
      })
      .orderBy('plan.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    const products = await this.productsOf(rows.map(({ id }) => id));
    return toPage(rows, limit, (row) => toPlan(row, products.get(row.id) ?? []));
  }

  /** @throws PlanNotFound */
  async get(tenantId: string, id: string): Promise<Plan> {
    return this.shown(await this.mustExist(tenantId, id));
  }

  /** Changes how many devices a license of the plan seats. Seats already taken stay. @throws PlanNotFound */
  async update(tenantId: string, id: string, maxActivations: number): Promise<Plan> {
    return this.tx.run(async () => {
      const row = await this.mustExist(tenantId, id, 'for update');
      Object.assign(row, { maxActivations, updatedAt: this.clock.now() });
      await this.tx.repository(PlanEntity).save(row);
      return this.shown(row);
    });
  }

  /** Replaces the list of what payment processors sell as this plan. @throws PlanNotFound, InvalidRequest, ProductTaken */
  async setProducts(tenantId: string, id: string, products: readonly PlanProduct[]): Promise<Plan> {
    return this.tx.run(async () => {
      const row = await this.mustExist(tenantId, id, 'for update');
      mustDiffer(products);
      const now = this.clock.now();
      await this.tx.repository(PlanProductEntity).delete({ planId: id });
      const rows = products.map(({ processor, productId, perUnit = 'seats' }, position) => ({
        ...newRow(now),
        tenantId,
        planId: id,
        processor,
        productId,
        perUnit,
        position,
      }));
      await onConstraint(() => this.tx.repository(PlanProductEntity).insert(rows), {
        plan_product_tenant_id_processor_product_id_key: () => new ProductTaken(),
      });
      await this.tx.repository(PlanEntity).save(Object.assign(row, { updatedAt: now }));
      return toPlan(row, rows);
    });
  }

  /** @throws PlanNotFound, LicensesIssued */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const { extensionId } = await this.mustExist(tenantId, id, 'for update');
      this.known.forget(extensionId);
      await this.unlessLicensed(() => this.tx.repository(PlanEntity).delete({ id }));
    });
  }

  /** The plans of a tenant that a purchase may be for: those that it names, and those that list what was bought. */
  async soldBy(
    tenantId: string,
    purchase: {
      readonly processor: string;
      readonly planIds: readonly string[];
      readonly productIds: readonly string[];
    },
  ): Promise<SoldPlans> {
    const { processor, productIds } = purchase;
    const planIds = purchase.planIds.map(idOrAbsent);
    const named = await this.tx
      .repository(PlanEntity)
      .createQueryBuilder('plan')
      .innerJoin('plan.extension', 'extension')
      .where('plan.id = any(:planIds) and extension.tenant_id = :tenantId', { planIds, tenantId })
      .getMany();
    const listed = await this.tx
      .repository(PlanProductEntity)
      .find({ where: { tenantId, processor, productId: In([...productIds]) }, relations: { plan: true } });
    return {
      named: (id) => named.find((plan) => plan.id === idOrAbsent(id)) ?? null,
      listing: (ids) =>
        ids.flatMap((id) => {
          const { plan, perUnit } = listed.find(({ productId }) => productId === id) ?? {};
          return plan === undefined || perUnit === undefined ? [] : [{ plan, perUnit }];
        })[0] ?? null,
    };
  }

  /** A plan of the tenant. @throws PlanNotFound */
  async mustExist(tenantId: string, id: string, lock?: 'for update'): Promise<PlanEntity> {
    const row = await this.find(tenantId, id, lock);
    if (row === null) throw new PlanNotFound();
    return row;
  }

  private async find(tenantId: string, id: string, lock?: 'for update'): Promise<PlanEntity | null> {
    const query = this.tx
      .repository(PlanEntity)
      .createQueryBuilder('plan')
      .innerJoin('plan.extension', 'extension')
      .where('plan.id = :id and extension.tenant_id = :tenantId', { id, tenantId });
    if (lock !== undefined) query.setLock('pessimistic_write', undefined, ['plan']);
    return query.getOne();
  }

  private unlessLicensed<T>(work: () => Promise<T>): Promise<T> {
    return onConstraint(work, { license_plan_id_fkey: () => new LicensesIssued() });
  }

  private async shown(row: PlanEntity): Promise<Plan> {
    return toPlan(row, (await this.productsOf([row.id])).get(row.id) ?? []);
  }

  private async productsOf(planIds: readonly string[]): Promise<ReadonlyMap<string, readonly PlanProductEntity[]>> {
    const rows = await this.tx
      .repository(PlanProductEntity)
      .find({ where: { planId: In([...planIds]) }, order: { planId: 'ASC', position: 'ASC' } });
    const byPlan = new Map<string, PlanProductEntity[]>();
    for (const row of rows) byPlan.set(row.planId, [...(byPlan.get(row.planId) ?? []), row]);
    return byPlan;
  }
}

function mustDiffer(products: readonly PlanProduct[]): void {
  const seen = new Set<string>();
  for (const [index, { processor, productId }] of products.entries()) {
    const key = `${processor} ${productId}`;
    if (seen.has(key)) throw new InvalidRequest([{ field: `${index}.productId`, message: 'is named twice.' }]);
    seen.add(key);
  }
}

const toPlan = (
  row: Omit<PlanEntity, 'extension'>,
  products: readonly Pick<PlanProductEntity, 'processor' | 'productId' | 'perUnit'>[],
): Plan => ({
  id: row.id,
  extensionId: row.extensionId,
  tier: row.tier,
  maxActivations: row.maxActivations,
  products: products.map(({ processor, productId, perUnit }) => ({ processor, productId, perUnit }) as PlanProduct),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

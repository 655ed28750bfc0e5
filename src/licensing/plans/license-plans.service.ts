import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, timeOfChange, Transactions } from '../../common/database/index.js';
import type { Precondition } from '../../common/http/index.js';
import { uuidOrNil, pageFrom, type Page } from '../../common/fields/index.js';
import { InvalidRequest, orThrow } from '../../common/problems/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { AccountsService } from '../../platform/accounts/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { LicensePlanLimitReached, PlanNotFound } from '../licensing.problems.js';
import { CheckoutLinks } from './checkout-links.js';
import { ExtensionCache } from './extension-cache.js';
import type { LicensePlanEntity, LicensePlanProductEntity, Unit } from './license-plan.entity.js';
import {
  DEFAULT_SEATS,
  type CreatePlan,
  type ListPlans,
  type Plan,
  type PlanProduct,
  type UpdatePlan,
} from './plans.dto.js';
import type { EndTerms } from './term.js';
import { LicensePlansRepository, type PlanRow } from './license-plans.repository.js';

const NO_FIELD = { field: 'maxActivations', message: 'or another field must be given.' };

/** Facts about a plan that purchases need. */
export type SoldPlan = Pick<LicensePlanEntity, 'id' | 'extensionId' | 'tier' | 'maxActivations' | keyof EndTerms>;

/** A plan that lists a product. */
export interface ListedPlan {
  readonly plan: SoldPlan;
  readonly perUnit: Unit;
}

/** The tenant's plans that a purchase may be for. */
export interface SoldPlans {
  byId(planId: string): SoldPlan | null;
  /** Finds the plans that list one of the products, at most one of each extension. @param productIds most specific first */
  byProduct(productIds: readonly string[]): readonly ListedPlan[];
}

/** License plans of extensions, and the products that are sold as each. */
@Injectable()
export class LicensePlansService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly plans: LicensePlansRepository,
    private readonly accounts: AccountsService,
    private readonly extensions: ExtensionsService,
    private readonly cache: ExtensionCache,
    private readonly checkouts: CheckoutLinks,
    private readonly audit: AuditLog,
  ) {}

  onModuleInit(): void {
    // An extension's plans are deleted with it, unless licenses of one remain.
    this.extensions.beforeDelete.add(({ id }) => this.plans.delete({ extensionId: id }));
  }

  /** Creates a plan. */
  async create(tenantId: string, input: CreatePlan): Promise<Plan> {
    return this.tx.run(async () => {
      const { id: extensionId } = await this.extensions.getOrThrow(tenantId, input.extensionId);
      const count = (): Promise<number> => this.plans.count(extensionId);
      await this.accounts.enforceLimit(tenantId, this.config.maxPlansPerExtension, count, LicensePlanLimitReached);
      const row = {
        ...newRow(this.clock.now()),
        extensionId,
        tier: input.tier,
        maxActivations: input.maxActivations ?? DEFAULT_SEATS,
        maxMembers: input.maxMembers ?? null,
        seatsPerMember: input.seatsPerMember ?? null,
        entitlements: input.entitlements ?? [],
        metadata: input.metadata ?? {},
        duration: input.duration ?? null,
        durationFrom: input.durationFrom ?? 'issue',
        graceDays: input.graceDays ?? 0,
        onEnd: input.onEnd ?? 'expire',
        renewalLeewayHours: input.renewalLeewayHours ?? null,
        noticeDays: input.noticeDays ?? [],
        noticeText: input.noticeText ?? null,
        ...trialOf(NO_TRIAL, input),
      };
      await this.plans.insert(row);
      await this.audit.record(tenantId, 'plan.created', row, { after: row });
      this.cache.delete(extensionId);
      return toPlan(row, []);
    });
  }

  /** Lists plans, newest first. */
  async list(tenantId: string, query: ListPlans): Promise<Page<Plan>> {
    if (query.extension !== undefined) await this.extensions.getOrThrow(tenantId, query.extension);
    return pageFrom(
      query,
      async (start) => this.views(await this.plans.list(tenantId, query.extension, start)),
      (plan) => plan,
    );
  }

  /** Lists the ids and tiers of all plans of a tenant. */
  listTiers(tenantId: string): Promise<readonly Pick<SoldPlan, 'id' | 'tier'>[]> {
    return this.plans.listTiers(tenantId);
  }

  /** Retrieves a plan. */
  async get(tenantId: string, id: string): Promise<Plan> {
    return this.view(await this.getOrThrow(tenantId, id));
  }

  /** Changes what licenses of the plan allow; absent fields stay as they are. Devices that hold a seat keep it. */
  async update(tenantId: string, id: string, input: UpdatePlan, expected: Precondition): Promise<Plan> {
    return this.tx.run(async () => {
      const row = await this.getForUpdate(tenantId, id);
      expected.check(row);
      if (Object.values(input).every((value) => value === undefined)) throw new InvalidRequest([NO_FIELD]);
      const before = { ...row };
      const { tier: _, ...changes } = input;
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      Object.assign(row, Object.fromEntries(given), trialOf(before, input), {
        updatedAt: timeOfChange(row, this.clock.now()),
      });
      await this.plans.save(row);
      await this.audit.record(tenantId, 'plan.updated', row, { before, after: row });
      return this.view(row);
    });
  }

  /** Replaces the products that are sold as a plan. */
  async setProducts(
    tenantId: string,
    id: string,
    products: readonly PlanProduct[],
    expected: Precondition,
  ): Promise<Plan> {
    return this.tx.run(async () => {
      const row = await this.getForUpdate(tenantId, id);
      expected.check(row);
      assertDistinct(products);
      this.assertCheckouts(products);
      const now = this.clock.now();
      const rows = products.map(({ processor, productId, perUnit = 'seats', checkoutUrl = null }, position) => ({
        ...newRow(now),
        tenantId,
        planId: id,
        extensionId: row.extensionId,
        processor,
        productId,
        perUnit,
        checkoutUrl,
        position,
      }));
      const before = await this.view(row);
      await this.plans.replaceProducts(id, rows);
      await this.plans.save(Object.assign(row, { updatedAt: timeOfChange(row, now) }));
      const after = toPlan(row, rows);
      await this.audit.record(tenantId, 'plan.products_set', row, { before, after });
      return after;
    });
  }

  /** Deletes a plan. */
  async delete(tenantId: string, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      const row = await this.getForUpdate(tenantId, id);
      expected.check(row);
      this.cache.delete(row.extensionId);
      await this.plans.delete({ id });
      await this.audit.record(tenantId, 'plan.deleted', row, { before: row });
    });
  }

  /** Finds the tenant's plans that a purchase may be for: those that it names by id, and those that list its products. */
  async findSold(
    tenantId: string,
    purchase: {
      readonly processor: string;
      readonly planIds: readonly string[];
      readonly productIds: readonly string[];
    },
  ): Promise<SoldPlans> {
    const { processor, productIds } = purchase;
    const named = await this.plans.findAll(tenantId, purchase.planIds.map(uuidOrNil));
    const listed = await this.plans.findProducts(tenantId, processor, productIds);
    return {
      byId: (id) => named.find((plan) => plan.id === uuidOrNil(id)) ?? null,
      byProduct: (ids) => {
        const products = ids.flatMap((id) => listed.filter(({ productId }) => productId === id));
        const isFirst = ({ id, extensionId }: LicensePlanProductEntity): boolean =>
          products.find((one) => one.extensionId === extensionId)?.id === id;
        return products.filter(isFirst).flatMap(({ plan, perUnit }) => (plan === undefined ? [] : [{ plan, perUnit }]));
      },
    };
  }

  /** Finds a plan of the tenant. */
  async getOrThrow(tenantId: string, id: string): Promise<LicensePlanEntity> {
    return orThrow(await this.plans.find(tenantId, id), PlanNotFound);
  }

  /** Hours that a license of a plan waits for its renewal. */
  leewayHoursOf({ renewalLeewayHours }: Pick<LicensePlanEntity, 'renewalLeewayHours'>): number {
    return renewalLeewayHours ?? this.config.renewalLeewayHours;
  }

  /** Finds a plan of the tenant, and locks it until the transaction ends. */
  async getForUpdate(tenantId: string, id: string): Promise<LicensePlanEntity> {
    return orThrow(await this.plans.findForUpdate(tenantId, id), PlanNotFound);
  }

  /** Finds a plan of the tenant, and keeps it from changing until the transaction ends. */
  async getForShare(tenantId: string, id: string): Promise<LicensePlanEntity> {
    return orThrow(await this.plans.findForShare(tenantId, id), PlanNotFound);
  }

  /** @throws InvalidRequest for a checkout that cannot carry what ties a purchase to a device */
  private assertCheckouts(products: readonly PlanProduct[]): void {
    const faults = products.flatMap(({ processor, checkoutUrl }, index) => {
      const message = checkoutUrl === undefined ? null : this.checkouts.faultOf(processor, checkoutUrl);
      return message === null ? [] : [{ field: `${index}.checkoutUrl`, message }];
    });
    if (faults.length > 0) throw new InvalidRequest(faults);
  }

  private async view(row: LicensePlanEntity): Promise<Plan> {
    return toPlan(row, (await this.plans.productsOf([row.id])).get(row.id) ?? []);
  }

  private async views(rows: readonly LicensePlanEntity[]): Promise<readonly Plan[]> {
    const products = await this.plans.productsOf(rows.map(({ id }) => id));
    return rows.map((row) => toPlan(row, products.get(row.id) ?? []));
  }
}

type PlanTrial = Pick<PlanRow, 'trialDays' | 'trialNeedsEmail'>;
const NO_TRIAL: PlanTrial = { trialDays: null, trialNeedsEmail: false };

/** The trial that a plan offers after a change. One that offers none asks for no address. */
function trialOf(before: PlanTrial, input: Pick<UpdatePlan, keyof PlanTrial>): PlanTrial {
  const { trialDays = before.trialDays, trialNeedsEmail = before.trialNeedsEmail } = input;
  if (trialDays !== null) return { trialDays, trialNeedsEmail };
  if (input.trialNeedsEmail === true)
    throw new InvalidRequest([{ field: 'trialNeedsEmail', message: 'needs trialDays: the plan offers no trial.' }]);
  return NO_TRIAL;
}

function assertDistinct(products: readonly PlanProduct[]): void {
  const keys = new Set<string>();
  for (const [index, { processor, productId }] of products.entries()) {
    const key = `${processor} ${productId}`;
    if (keys.has(key)) throw new InvalidRequest([{ field: `${index}.productId`, message: 'is listed twice.' }]);
    keys.add(key);
  }
}

const toPlan = (
  row: PlanRow,
  products: readonly Pick<LicensePlanProductEntity, 'processor' | 'productId' | 'perUnit' | 'checkoutUrl'>[],
): Plan => ({
  id: row.id,
  extensionId: row.extensionId,
  tier: row.tier,
  maxActivations: row.maxActivations,
  maxMembers: row.maxMembers,
  seatsPerMember: row.seatsPerMember,
  entitlements: row.entitlements,
  metadata: row.metadata,
  duration: row.duration,
  durationFrom: row.durationFrom,
  graceDays: row.graceDays,
  onEnd: row.onEnd,
  renewalLeewayHours: row.renewalLeewayHours,
  noticeDays: row.noticeDays,
  noticeText: row.noticeText,
  trialDays: row.trialDays,
  trialNeedsEmail: row.trialNeedsEmail,
  products: products.map(
    ({ processor, productId, perUnit, checkoutUrl }) =>
      ({ processor, productId, perUnit, ...(checkoutUrl === null ? {} : { checkoutUrl }) }) as PlanProduct,
  ),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

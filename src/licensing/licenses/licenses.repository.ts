import { Injectable } from '@nestjs/common';
import { Not, type Repository, type SelectQueryBuilder } from 'typeorm';
import { Clock } from '../../common/system/index.js';
import { Hook, newRow, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { CodesService } from '../codes/codes.service.js';
import type { LicensePlanEntity } from '../plans/license-plan.entity.js';
import { LicenseEntity, type Delivery } from './license.entity.js';
import type { LicenseStatus, Suspension } from './license-status.js';

/** A license that is to be issued. */
export interface NewLicense {
  readonly tenantId: string;
  readonly plan: Pick<LicensePlanEntity, 'id' | 'extensionId'>;
  readonly buyerEmail: string;
  readonly expiresAt: Date | null;
  /** Number of devices; null or absent takes the plan's number. */
  readonly maxActivations?: number | null;
  /** `manual`, or `processor:purchase`, which is unique per tenant. */
  readonly source: string;
}

/** Which of a tenant's licenses a list shows; what is absent does not filter. */
export interface LicenseFilter {
  readonly extension?: string | undefined;
  /** In lower case. */
  readonly email?: string | undefined;
  readonly status?: LicenseStatus | undefined;
}

/** What may change after a license has been issued. */
export type LicenseChange = Partial<
  Pick<LicenseEntity, 'revokedAt' | 'revokedFor' | 'expiresAt' | 'maxActivations' | 'planId' | 'buyerEmail'>
> & { readonly suspendedFor?: readonly Suspension[] };

/** Each status as a condition on `license`, as `statusOf` decides it at `:now`. */
const STATUS_SQL: Readonly<Record<LicenseStatus, string>> = {
  revoked: 'license.revoked_at is not null',
  suspended: "license.revoked_at is null and license.suspended_for <> '{}'",
  expired: "license.revoked_at is null and license.suspended_for = '{}' and license.expires_at <= :now",
  active:
    "license.revoked_at is null and license.suspended_for = '{}' and (license.expires_at is null or license.expires_at > :now)",
};

/**
 * Licenses. A caller locks a license before it changes the license or its seats, which keeps out activations, releases and all other
 * changes until its transaction ends.
 */
@Injectable()
export class LicensesRepository {
  /** Runs inside the transaction that replaces a license's code or erases the license, before the code stops working. */
  readonly beforeCodeReplaced = new Hook<LicenseEntity>();
  /** Runs before a license is locked to be erased, for locks that other transactions take before a license's. */
  readonly lockingToErase = new Hook<Pick<LicenseEntity, 'tenantId' | 'id'>>();
  /** Runs inside the transaction that erases a license, before the license and its buyer's address are gone. */
  readonly beforeErase = new Hook<LicenseEntity>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodesService,
  ) {}

  /** Issues a license. Its code is in this result and nowhere else: a caller that keeps the code seals it. */
  async issue(wanted: NewLicense): Promise<{ readonly license: LicenseEntity; readonly code: string }> {
    const { code, kept } = this.codes.make();
    const license = Object.assign(new LicenseEntity(), newRow(this.clock.now()), kept, {
      tenantId: wanted.tenantId,
      extensionId: wanted.plan.extensionId,
      planId: wanted.plan.id,
      buyerEmail: wanted.buyerEmail,
      source: wanted.source,
      revokedAt: null,
      revokedFor: null,
      suspendedFor: [],
      expiresAt: wanted.expiresAt,
      maxActivations: wanted.maxActivations ?? null,
      delivery: null,
      deliveryId: null,
    });
    await this.rows.insert(license);
    return { license, code };
  }

  /** Finds a license of the tenant. */
  find(tenantId: string, id: string): Promise<LicenseEntity | null> {
    return this.rows.findOneBy({ tenantId, id });
  }

  /** Lists a tenant's licenses: one row more than the page holds, newest first. */
  async list(
    tenantId: string,
    { extension, email, status }: LicenseFilter,
    { limit, after }: PageStart,
    now: Date,
  ): Promise<readonly LicenseEntity[]> {
    const chosen = this.rows
      .createQueryBuilder('license')
      .select('license.id')
      .where('license.tenant_id = :tenantId and license.id < :after', { tenantId, after });
    if (extension !== undefined) chosen.andWhere('license.extension_id = :extension', { extension });
    if (email !== undefined) chosen.andWhere('license.buyer_email = :email', { email });
    if (status !== undefined) chosen.andWhere(STATUS_SQL[status], { now });
    newestFirst(chosen, limit);
    // An array of ids lets PostgreSQL choose the page by an index alone, however many licenses have another status.
    const page = this.rows.createQueryBuilder('license').where(`license.id = any(array(${chosen.getQuery()}))`);
    return newestFirst(page, limit).setParameters(chosen.getParameters()).getMany();
  }

  /** Lists the newest licenses of a buyer over all tenants, with plan and extension. */
  listOfBuyer(buyerEmail: string, limit: number): Promise<readonly LicenseEntity[]> {
    return this.rows
      .createQueryBuilder('license')
      .innerJoinAndSelect('license.plan', 'plan')
      .innerJoinAndSelect('license.extension', 'extension')
      .where('license.buyer_email = :buyerEmail', { buyerEmail })
      .orderBy('license.id', 'DESC')
      .limit(limit)
      .getMany();
  }

  /** Whether a buyer has any license, besides the one excepted. */
  existsForBuyer(buyerEmail: string, exceptId?: string): Promise<boolean> {
    return this.rows.existsBy({ buyerEmail, ...(exceptId === undefined ? {} : { id: Not(exceptId) }) });
  }

  /** Locks a license of the tenant until the transaction ends. @returns null when the tenant has no such license */
  lock(tenantId: string, id: string): Promise<LicenseEntity | null> {
    return this.lockWhere({ tenantId, id });
  }

  /** Locks a license that is to be erased. @returns null when the tenant has no such license */
  async lockToErase(tenantId: string, id: string): Promise<LicenseEntity | null> {
    await this.lockingToErase.run({ tenantId, id });
    return this.lock(tenantId, id);
  }

  /** Locks a license of a buyer. @returns null when the buyer has no such license */
  lockOfBuyer(buyerEmail: string, id: string): Promise<LicenseEntity | null> {
    return this.lockWhere({ buyerEmail, id });
  }

  /** Changes a locked license. A new plan must belong to the same extension. */
  async change(license: LicenseEntity, change: LicenseChange): Promise<LicenseEntity> {
    Object.assign(license, change, { updatedAt: this.clock.now() });
    return this.rows.save(license);
  }

  /** Gives a locked license a new code. The old code stops working at once; the seats stay. @returns the new code */
  async rotate(license: LicenseEntity): Promise<string> {
    await this.beforeCodeReplaced.run(license);
    const { code, kept } = this.codes.make();
    await this.change(Object.assign(license, kept, { delivery: null, deliveryId: null }), {});
    return code;
  }

  /** Erases a locked license with its seats and the buyer's address. */
  async erase(license: LicenseEntity): Promise<void> {
    await this.beforeCodeReplaced.run(license);
    await this.beforeErase.run(license);
    await this.rows.delete({ id: license.id });
  }

  /** Notes that the code of a locked or new license is being mailed. */
  async setDelivering(license: LicenseEntity, deliveryId: string): Promise<void> {
    await this.change(Object.assign(license, { delivery: 'waiting', deliveryId }), {});
  }

  /** Notes the outcome of a delivery, unless the license has another code by now. By hand: it writes only what changes. */
  async setDelivered(deliveryId: string, delivery: Delivery): Promise<void> {
    await this.tx.query(
      'update license set delivery = $2, updated_at = $3 where delivery_id = $1 and delivery is distinct from $2',
      [deliveryId, delivery, this.clock.now()],
    );
  }

  private lockWhere(
    where: { readonly tenantId: string; readonly id: string } | { readonly buyerEmail: string; readonly id: string },
  ): Promise<LicenseEntity | null> {
    return this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  private get rows(): Repository<LicenseEntity> {
    return this.tx.repository(LicenseEntity);
  }
}

const newestFirst = (query: SelectQueryBuilder<LicenseEntity>, limit: number): SelectQueryBuilder<LicenseEntity> =>
  query.orderBy('license.id', 'DESC').limit(limit + 1);

import { Injectable } from '@nestjs/common';
import { In, Not, type Repository, type SelectQueryBuilder } from 'typeorm';
import { Clock } from '../../common/system/index.js';
import { onConstraint, timeOfChange, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { ISSUED_BY_HAND, LicenseEntity, type Delivery } from './license.entity.js';
import type { LicenseStatus, Suspension } from './license-status.js';

/** Which of a tenant's licenses a list shows; what is absent does not filter. */
export interface LicenseFilter {
  readonly extension?: string | undefined;
  /** In lower case. */
  readonly email?: string | undefined;
  readonly status?: LicenseStatus | undefined;
  /** The last five symbols of the code. */
  readonly codeHint?: string | undefined;
  readonly source?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Another license has the code or the source already. */
export class CodeTaken extends Error {}

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
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
  ) {}

  /** Adds a license. @throws CodeTaken */
  async insert(license: LicenseEntity): Promise<void> {
    await onConstraint(() => this.rows.insert(license), {
      license_code_digest_key: () => new CodeTaken(),
      license_tenant_id_source_key: () => new CodeTaken(),
    });
  }

  find(tenantId: string, id: string): Promise<LicenseEntity | null> {
    return this.rows.findOneBy({ tenantId, id });
  }

  /** Lists a tenant's licenses: one row more than the page holds, newest first. */
  async list(
    tenantId: string,
    filter: LicenseFilter,
    { limit, after }: PageStart,
    now: Date,
  ): Promise<readonly LicenseEntity[]> {
    const chosen = newestFirst(this.chosen(tenantId, filter, now).andWhere('license.id < :after', { after }), limit);
    // An array of ids lets PostgreSQL choose the page by an index alone, however many licenses have another status.
    const page = this.rows.createQueryBuilder('license').where(`license.id = any(array(${chosen.getQuery()}))`);
    return newestFirst(page, limit).setParameters(chosen.getParameters()).getMany();
  }

  /** Counts a tenant's licenses, up to `most`. Raw SQL: TypeORM counts without a limit. */
  async count(tenantId: string, filter: LicenseFilter, most: number, now: Date): Promise<number> {
    const [sql, parameters] = this.chosen(tenantId, filter, now).limit(most).getQueryAndParameters();
    const [row] = await this.tx.query<{ readonly count: number }>(
      `select count(*)::int as count from (${sql}) chosen`,
      parameters,
    );
    return row?.count ?? 0;
  }

  /** Finds the license with a code, of whichever tenant, by the digests that the code may have. */
  findByCode(digests: readonly Buffer[]): Promise<LicenseEntity | null> {
    return this.rows.findOneBy({ codeDigest: In([...digests]) });
  }

  /** Finds a tenant's licenses that have one of the sources; `manual` finds none. */
  findOfSources(tenantId: string, sources: readonly string[]): Promise<readonly LicenseEntity[]> {
    return (
      this.rows
        .createQueryBuilder('license')
        .where('license.tenant_id = :tenantId and license.source = any(:sources)', { tenantId, sources })
        // As below: so that the index of purchases is used.
        .andWhere("license.source <> 'manual'")
        .getMany()
    );
  }

  private chosen(
    tenantId: string,
    { extension, email, status, codeHint, source, ids }: LicenseFilter,
    now: Date,
  ): SelectQueryBuilder<LicenseEntity> {
    const chosen = this.rows
      .createQueryBuilder('license')
      .select('license.id')
      .where('license.tenant_id = :tenantId', { tenantId });
    if (extension !== undefined) chosen.andWhere('license.extension_id = :extension', { extension });
    if (email !== undefined) chosen.andWhere('license.buyer_email = :email', { email });
    if (status !== undefined) chosen.andWhere(STATUS_SQL[status], { now });
    if (codeHint !== undefined) chosen.andWhere('license.code_hint = :codeHint', { codeHint });
    if (source !== undefined) chosen.andWhere('license.source = :source', { source });
    // The index of purchases leaves the others out, and a kept plan uses it only if the statement says so.
    if (source !== undefined && source !== ISSUED_BY_HAND) chosen.andWhere("license.source <> 'manual'");
    if (ids !== undefined) chosen.andWhere('license.id = any(:ids)', { ids });
    return chosen;
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

  findForUpdate(tenantId: string, id: string): Promise<LicenseEntity | null> {
    return this.rows.findOne({ where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  findOfBuyerForUpdate(buyerEmail: string, id: string): Promise<LicenseEntity | null> {
    return this.rows.findOne({ where: { buyerEmail, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Changes a locked license. A new plan must belong to the same extension. */
  async change(license: LicenseEntity, change: LicenseChange): Promise<LicenseEntity> {
    Object.assign(license, change, { updatedAt: timeOfChange(license, this.clock.now()) });
    return this.rows.save(license);
  }

  /** Deletes a license with its seats. */
  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /** Notes that the code of a locked or new license is being mailed. */
  async setDelivering(license: LicenseEntity, deliveryId: string): Promise<void> {
    await this.change(Object.assign(license, { delivery: 'waiting', deliveryId }), {});
  }

  /** Notes the outcome of a delivery, unless the license has another code by now. Raw SQL: it writes only what changes. */
  async setDelivered(deliveryId: string, delivery: Delivery): Promise<void> {
    await this.tx.query(
      `update license set delivery = $2, updated_at = greatest($3::timestamptz, updated_at + interval '1 ms')
        where delivery_id = $1 and delivery is distinct from $2`,
      [deliveryId, delivery, this.clock.now()],
    );
  }

  private get rows(): Repository<LicenseEntity> {
    return this.tx.repository(LicenseEntity);
  }
}

const newestFirst = (query: SelectQueryBuilder<LicenseEntity>, limit: number): SelectQueryBuilder<LicenseEntity> =>
  query.orderBy('license.id', 'DESC').limit(limit + 1);

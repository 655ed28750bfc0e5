import { Injectable } from '@nestjs/common';
import { selectList, Transactions } from '../../common/database/index.js';
import type { PageStart, TextRange } from '../../common/fields/index.js';
import { ISSUED_BY_HAND, type LicenseEntity } from './license.entity.js';
import { LICENSE_STATUSES, type LicenseStatus } from './license-status.js';

/** Filter of a tenant's licenses; an absent field does not filter. */
export interface LicenseFilter {
  readonly extension?: string | undefined;
  /** In lower case. */
  readonly email?: string | undefined;
  readonly status?: LicenseStatus | undefined;
  readonly campaign?: string | undefined;
  /** The last five symbols of the code. */
  readonly codeHint?: string | undefined;
  /** Any of these: the address, its domain or the last five symbols lie in a range, or the id is named. */
  readonly search?:
    | {
        readonly email: TextRange;
        readonly domain: TextRange;
        readonly codeHint: TextRange;
        readonly ids: readonly string[];
      }
    | undefined;
  readonly source?: string | undefined;
  readonly isTest?: 'true' | 'false' | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** The columns of a license that are listed. */
const LISTED_COLUMNS = [
  'id',
  'planId',
  'extensionId',
  'buyerEmail',
  'campaign',
  'codeHint',
  'revokedAt',
  'revokedFor',
  'suspendedFor',
  'expiresAt',
  'duration',
  'graceDays',
  'renewalLeewayHours',
  'onEnd',
  'maxActivations',
  'maxMembers',
  'seatsPerMember',
  'source',
  'delivery',
  'isTest',
  'entitlements',
  'metadata',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof LicenseEntity)[];

/** A license as it is listed, with what its plan allows and the number of devices that hold a seat. */
export interface ListedLicense extends Pick<LicenseEntity, (typeof LISTED_COLUMNS)[number]> {
  readonly tier: string;
  readonly planMaxActivations: number;
  readonly planMaxMembers: number | null;
  readonly planSeatsPerMember: number | null;
  readonly used: number;
  readonly members: number;
}

const LISTED = `
  select ${selectList('license', LISTED_COLUMNS)}, plan.tier, plan.max_activations as "planMaxActivations",
         plan.max_members as "planMaxMembers", plan.seats_per_member as "planSeatsPerMember",
         (select count(*)::int from seat where license_id = license.id and ended_at is null) as used,
         (select count(*)::int from license_member where license_id = license.id) as members
    from license join plan on plan.id = license.plan_id`;

/** SQL of the domain of a buyer's address, as the index has it. */
export const buyerDomainSql = (license: string): string => `split_part(${license}.buyer_email, '@', 2)`;

/** When a `license` has expired, as `expiredFrom` computes it. */
const EXPIRED_FROM =
  "(case when license.on_end = 'expire' then license.expires_at + make_interval(hours => greatest(24 * license.grace_days, license.renewal_leeway_hours)) end)";

/** Each status as a condition on `license`, as `statusOf` decides it at `:now`. */
const STATUS_SQL: Readonly<Record<LicenseStatus, string>> = {
  revoked: 'license.revoked_at is not null',
  suspended: "license.revoked_at is null and license.suspended_for <> '{}'",
  // Nothing expires before its end: by that, an index finds the few.
  expired: `license.revoked_at is null and license.suspended_for = '{}' and license.expires_at <= :now and ${EXPIRED_FROM} <= :now`,
  active: `license.revoked_at is null and license.suspended_for = '{}' and (${EXPIRED_FROM} is null or ${EXPIRED_FROM} > :now)`,
};

/** SQL of the status of a `license`, as `statusOf` decides it. @param now SQL of the moment */
export const licenseStatusSql = (now: string): string =>
  `case ${LICENSE_STATUSES.map((status) => `when ${STATUS_SQL[status].replaceAll(':now', now)} then '${status}'`).join(' ')} end`;

/** Licenses as their tenant lists and counts them. Changes nothing. */
@Injectable()
export class ListedLicensesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Reads a license as it is listed; null when the tenant has no such license. */
  async findListed(tenantId: string, id: string): Promise<ListedLicense | null> {
    const [row = null] = await this.tx.query<ListedLicense>(
      `${LISTED} where license.id = $1 and license.tenant_id = $2`,
      [id, tenantId],
    );
    return row;
  }

  /**
   * Lists a tenant's licenses: one row more than the page holds, newest first. Raw SQL: one statement for licenses, plans and seats, with no entity
   * for each row.
   */
  async list(
    tenantId: string,
    filter: LicenseFilter,
    { limit, after }: PageStart,
    now: Date,
  ): Promise<readonly ListedLicense[]> {
    const { idsSql, values } = selectIds(tenantId, filter, now);
    const page = `${idsSql} and license.id < $${values.length + 1} order by license.id desc limit $${values.length + 2}`;
    // An array of ids lets PostgreSQL choose the page by an index alone, however many licenses have another status.
    return this.tx.query(`${LISTED} where license.id = any(array(${page})) order by license.id desc`, [
      ...values,
      after,
      limit + 1,
    ]);
  }

  /** Counts a tenant's licenses, up to `most`. Raw SQL: TypeORM counts without a limit. */
  async count(tenantId: string, filter: LicenseFilter, most: number, now: Date): Promise<number> {
    const { idsSql, values } = selectIds(tenantId, filter, now);
    const [row] = await this.tx.query<{ readonly count: number }>(
      `select count(*)::int as count from (${idsSql} limit $${values.length + 1}) chosen`,
      [...values, most],
    );
    return row?.count ?? 0;
  }
}

/** Makes the SQL that selects the ids of the licenses that match a filter. It has only the given conditions, so that each finds its index. */
function selectIds(
  tenantId: string,
  { extension, email, campaign, status, codeHint, search, source, isTest, ids }: LicenseFilter,
  now: Date,
): { readonly idsSql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const conditions = [`license.tenant_id = ${value(tenantId)}`];
  if (extension !== undefined) conditions.push(`license.extension_id = ${value(extension)}`);
  if (email !== undefined) conditions.push(`license.buyer_email = ${value(email)}`);
  if (campaign !== undefined) conditions.push(`license.campaign = ${value(campaign)}`);
  if (status !== undefined) conditions.push(STATUS_SQL[status].replaceAll(':now', () => value(now)));
  if (codeHint !== undefined) conditions.push(`license.code_hint = ${value(codeHint)}`);
  if (source !== undefined) conditions.push(`license.source = ${value(source)}`);
  // The index of purchases leaves the others out, and a kept plan uses it only if the statement says so.
  if (source !== undefined && source !== ISSUED_BY_HAND) conditions.push("license.source <> 'manual'");
  if (isTest !== undefined) conditions.push(isTest === 'true' ? 'license.is_test' : 'not license.is_test');
  if (search !== undefined) {
    const within = (column: string, { from, to }: TextRange): string =>
      `${column} between ${value(from)} and ${value(to)}`;
    const named = `license.id = any(${value(search.ids)})`;
    const beginnings = [
      within('license.buyer_email', search.email),
      within(buyerDomainSql('license'), search.domain),
      within('license.code_hint', search.codeHint),
    ];
    conditions.push(`(${[...beginnings, named].join(' or ')})`);
  }
  if (ids !== undefined) conditions.push(`license.id = any(${value(ids)})`);
  return { idsSql: `select license.id from license where ${conditions.join(' and ')}`, values };
}

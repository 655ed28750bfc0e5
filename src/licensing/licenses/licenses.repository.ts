import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, type Repository } from 'typeorm';
import { Clock } from '../../common/system/index.js';
import { onConstraint, timeOfChange, Transactions } from '../../common/database/index.js';
import { HEARD_SQL, LicenseEventsService, nextEndMoment } from '../events/index.js';
import { PlanNotFound } from '../licensing.problems.js';
import { FormerCodeEntity } from './former-code.entity.js';
import { LicenseMemberEntity } from './license-member.entity.js';
import { LicenseEntity } from './license.entity.js';

/** The driver's own statement: TypeORM's takes longer than PostgreSQL does when fifty orders come together. */
const INSERT = {
  name: 'insert_licenses',
  text: `
    insert into license (id, created_at, updated_at, tenant_id, extension_id, plan_id, buyer_email, campaign, code_digest, code_pepper, code_hint, source,
                         revoked_at, revoked_for, suspended_for, expires_at, duration, grace_days, renewal_leeway_hours, on_end, max_activations, delivery, delivery_id, is_test,
                         entitlements, metadata, expiry_event_at, max_members, seats_per_member)
    select * from json_to_recordset($1)
      as (id uuid, "createdAt" timestamptz, "updatedAt" timestamptz, "tenantId" uuid, "extensionId" uuid, "planId" uuid, "buyerEmail" text, campaign text,
          "codeDigest" bytea, "codePepper" text, "codeHint" text, source text, "revokedAt" timestamptz, "revokedFor" text, "suspendedFor" text[],
          "expiresAt" timestamptz, duration text, "graceDays" integer, "renewalLeewayHours" integer, "onEnd" text, "maxActivations" integer, delivery text, "deliveryId" uuid, "isTest" boolean,
          entitlements text[], metadata jsonb, "expiryEventAt" timestamptz, "maxMembers" integer, "seatsPerMember" integer)
    returning ${HEARD_SQL} as heard`,
};

/** A license, and the digest by which it was found. */
export type LicenseOfCode = Pick<
  LicenseEntity,
  'id' | 'tenantId' | 'extensionId' | 'createdAt' | 'codeDigest' | 'source'
>;

/**
 * Looks each digest up in each index: joined, a table that an import makes grow faster than it is analyzed would be read whole. A code that was
 * replaced, a member's or a device's belongs to the license as its own does.
 */
const BY_CODES = `
  select license.id, license.tenant_id as "tenantId", license.extension_id as "extensionId", license.created_at as "createdAt",
         wanted.digest as "codeDigest", license.source
    from unnest($1::bytea[]) as wanted (digest)
   cross join lateral (
           select id from license where code_digest = wanted.digest
            union all select license_id from former_code where code_digest = wanted.digest
            union all select license_id from license_member where code_digest = wanted.digest
            union all select license_id from device_code where code_digest = wanted.digest
            limit 1) found
   cross join lateral (select * from license where id = found.id limit 1) license`;

/** Another license has the code or the source already. */
export class CodeTaken extends Error {}

type Constant = 'id' | 'tenantId' | 'tenant' | 'extensionId' | 'extension' | 'plan' | 'source' | 'isTest';

/** What is next about the end of a license. */
interface ExpiryPlan extends Pick<LicenseEntity, 'id' | 'renewalLeewayHours'> {
  readonly next: Date | null;
}

/** Columns that may change after a license has been issued. */
export type LicenseChange = Partial<Omit<LicenseEntity, Constant | 'createdAt' | 'updatedAt'>>;

/**
 * Licenses. A caller locks a license before it changes the license or its seats, which keeps out activations, releases and all other
 * changes until its transaction ends.
 */
@Injectable()
export class LicensesRepository {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly events: LicenseEventsService,
  ) {}

  /** Adds licenses. @throws CodeTaken */
  async insert(licenses: readonly LicenseEntity[], isImported?: true): Promise<void> {
    const rows = licenses.map((one) => ({ ...one, codeDigest: String.raw`\x${one.codeDigest.toString('hex')}` }));
    const insert = () => this.tx.prepared<{ readonly heard: readonly string[] }>(INSERT, [JSON.stringify(rows)]);
    const inserted = await onConstraint(insert, {
      license_code_digest_key: () => new CodeTaken(),
      license_tenant_id_source_key: () => new CodeTaken(),
    });
    await this.events.tellIssued(
      inserted.flatMap(({ heard }) => heard),
      licenses,
      isImported,
    );
  }

  find(id: string): Promise<LicenseEntity | null> {
    return this.rows.findOneBy({ id });
  }

  async findAll(ids: readonly string[]): Promise<readonly LicenseEntity[]> {
    return ids.length === 0 ? [] : this.rows.findBy({ id: In([...ids]) });
  }

  /** Finds the license with a code, its own or a member's, of whichever tenant, by the digests that the code may have. */
  async findByCode(digests: readonly Buffer[]): Promise<LicenseEntity | null> {
    const codeDigest = In([...digests]);
    const members = this.tx.repository(LicenseMemberEntity);
    return (
      (await this.rows.findOneBy({ codeDigest })) ??
      (await members.findOne({ where: { codeDigest }, relations: { license: true } }))?.license ??
      null
    );
  }

  /** Finds the licenses that have, or had, one of many codes, of whichever tenant, by the digests that each may have. */
  async findByCodes(digests: readonly Buffer[]): Promise<readonly LicenseOfCode[]> {
    return digests.length === 0 ? [] : this.tx.query<LicenseOfCode>(BY_CODES, [digests]);
  }

  /** Keeps the code of a license, or of a member of one, that is about to be replaced; with that of a license also those of single devices. */
  async keepFormerCode(replaced: LicenseEntity | LicenseMemberEntity, now: Date): Promise<void> {
    const { id, codeDigest } = replaced;
    const isMember = 'licenseId' in replaced;
    const of = isMember ? { licenseId: replaced.licenseId, memberId: id } : { licenseId: id };
    await this.tx.repository(FormerCodeEntity).insert({ ...of, codeDigest, replacedAt: now });
    if (isMember) return;
    await this.tx.query(
      `with replaced as (delete from device_code where license_id = $1 returning code_digest)
       insert into former_code (code_digest, license_id, replaced_at) select code_digest, $1::uuid, $2::timestamptz from replaced`,
      [id, now],
    );
  }

  /** Finds a tenant's licenses that have one of the sources; `manual` finds none. */
  async findOfSources(tenantId: string, sources: readonly string[]): Promise<readonly LicenseEntity[]> {
    if (sources.length === 0) return [];
    return (
      this.rows
        .createQueryBuilder('license')
        // The index of purchases leaves the others out, and is used only if the statement says so; and as above, for each source.
        .where(
          `license.id = any(array(
             select found.id from unnest(cast(:sources as text[])) wanted cross join lateral (
               select id from license where tenant_id = :tenantId and source = wanted and source <> 'manual' limit 1) found))`,
          { tenantId, sources },
        )
        .getMany()
    );
  }

  /** The ids of the newest licenses of a tenant's buyers, and of those that are named. */
  async idsOfBuyers(
    tenantId: string,
    buyerEmails: readonly string[],
    named: readonly string[],
    limit: number,
  ): Promise<readonly string[]> {
    const select = { id: true } as const;
    const where = { tenantId, buyerEmail: In([...buyerEmails]) };
    const own = await this.rows.find({ select, where, order: { id: 'DESC' }, take: limit });
    const others = named.length === 0 ? [] : await this.rows.find({ select, where: { tenantId, id: In([...named]) } });
    return [...new Set([...own, ...others].map(({ id }) => id))];
  }

  /** Lists the newest licenses of an address, as buyer or member, over all tenants, with plan and extension. */
  listOfBuyer(email: string, limit: number): Promise<readonly LicenseEntity[]> {
    return this.rows
      .createQueryBuilder('license')
      .innerJoinAndSelect('license.plan', 'plan')
      .innerJoinAndSelect('license.extension', 'extension')
      .where(
        'license.buyer_email = :email or license.id = any(array(select license_id from license_member where email = :email))',
        { email },
      )
      .orderBy('license.id', 'DESC')
      .limit(limit)
      .getMany();
  }

  /** Finds licenses, and locks them in the order of their ids, so that two transactions that lock the same ones do not block each other. */
  async findAllForUpdate(tenantId: string, ids: readonly string[]): Promise<readonly LicenseEntity[]> {
    if (ids.length === 0) return [];
    const lock = { mode: 'pessimistic_write' } as const;
    return this.rows.find({ where: { tenantId, id: In([...ids]) }, order: { id: 'ASC' }, lock });
  }

  findForUpdate(tenantId: string, id: string): Promise<LicenseEntity | null> {
    return this.rows.findOne({ where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  findOfBuyerForUpdate(buyerEmail: string, id: string): Promise<LicenseEntity | null> {
    return this.rows.findOne({ where: { buyerEmail, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Changes a locked license. A new plan must belong to the same extension. @param isPaid false when a later end only waits for a payment @throws PlanNotFound when the plan is deleted meanwhile */
  async change(license: LicenseEntity, change: LicenseChange, isPaid = true): Promise<LicenseEntity> {
    const now = this.clock.now();
    const { expiresAt = license.expiresAt } = change;
    const expiryEventAt = nextEndMoment(license, { ...license, ...change, expiresAt }, now);
    const changed = { ...change, expiryEventAt, updatedAt: timeOfChange(license, now) };
    await onConstraint(() => this.rows.update({ id: license.id }, changed), {
      license_plan_id_fkey: () => new PlanNotFound(),
    });
    const before = { ...license };
    const after = Object.assign(license, changed);
    await this.events.tellChanged(before, after, isPaid);
    return after;
  }

  /** Finds licenses with an event about their end that is due, and locks them; leaves out those that another transaction has locked. */
  takeExpiring(now: Date, limit: number): Promise<readonly LicenseEntity[]> {
    return this.rows.find({
      where: { expiryEventAt: LessThanOrEqual(now) },
      order: { expiryEventAt: 'ASC', id: 'ASC' },
      take: limit,
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
  }

  /** Sets when the next event about the end of locked licenses is due, and how long each may wait for its renewal. Raw SQL: one statement. */
  async planExpiryEvents(plans: readonly ExpiryPlan[]): Promise<void> {
    if (plans.length === 0) return;
    await this.tx.query(
      `update license set expiry_event_at = plan.next, renewal_leeway_hours = plan."renewalLeewayHours"
         from json_to_recordset($1) as plan (id uuid, next timestamptz, "renewalLeewayHours" integer) where license.id = plan.id`,
      [JSON.stringify(plans)],
    );
  }

  /** Deletes a license with its seats. */
  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /**
   * Notes the outcomes of deliveries, unless their licenses have other codes by now. Raw SQL: it writes only what changes, and locks licenses in the
   * order of their ids.
   */
  async setDelivered(outcomes: readonly Pick<LicenseEntity, 'deliveryId' | 'delivery'>[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.tx.query(
      `update license set delivery = locked.outcome, updated_at = greatest($2::timestamptz, updated_at + interval '1 ms')
         from (select license.id, outcome.delivery as outcome
                 from json_to_recordset($1) as outcome ("deliveryId" uuid, delivery text)
                 join license on delivery_id = outcome."deliveryId" and license.delivery is distinct from outcome.delivery
                order by license.id for update of license) locked
        where license.id = locked.id`,
      [JSON.stringify(outcomes), this.clock.now()],
    );
  }

  private get rows(): Repository<LicenseEntity> {
    return this.tx.repository(LicenseEntity);
  }
}

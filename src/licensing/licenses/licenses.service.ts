import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { readPage, toPage, type Page } from '../../common/fields/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { LicenseNotFound, LicenseNotRevoked, LicenseRevoked } from '../licensing.problems.js';
import { PlanEntity } from '../plans/plan.entity.js';
import { PlansService } from '../plans/plans.service.js';
import { SeatEntity } from '../seats/seat.entity.js';
import { LicenseBook } from './license-book.js';
import { ISSUED_BY_HAND, LicenseEntity } from './license.entity.js';
import { isRevokedByPayment, shownSuspension, statusOf, type LicenseStatus } from './license-status.js';
import type {
  IssuedLicense,
  IssueLicense,
  License,
  LicenseWithDevices,
  ListLicenses,
  UpdateLicense,
} from './licenses.dto.js';

/** Each status as a condition on `license`, with the moment as `:now`. */
const STANDS: Readonly<Record<LicenseStatus, string>> = {
  revoked: 'license.revoked_at is not null',
  suspended: "license.revoked_at is null and license.suspended_for <> '{}'",
  expired: "license.revoked_at is null and license.suspended_for = '{}' and license.expires_at <= :now",
  active:
    "license.revoked_at is null and license.suspended_for = '{}' and (license.expires_at is null or license.expires_at > :now)",
};

/** The tenant's view of licenses: issuing them and deciding about them. */
@Injectable()
export class LicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly events: EventsService,
    private readonly plans: PlansService,
    private readonly book: LicenseBook,
  ) {}

  /** @throws PlanNotFound */
  async issue(tenantId: string, input: IssueLicense): Promise<IssuedLicense> {
    return this.tx.run(async () => {
      // Locked, so that the plan is not deleted before the license stands.
      const plan = await this.plans.mustExist(tenantId, input.planId, 'for update');
      const { license, code } = await this.book.issue({
        tenantId,
        plan,
        buyerEmail: input.buyerEmail,
        expiresAt: input.expiresAt == null ? null : new Date(input.expiresAt),
        maxActivations: input.maxActivations ?? null,
        source: ISSUED_BY_HAND,
      });
      await this.tell(license, 'license_issued', `A license …${license.codeHint} was issued by hand.`);
      return { ...(await this.shown(license)), code };
    });
  }

  /** Newest first. @throws ExtensionNotFound */
  async list(tenantId: string, query: ListLicenses): Promise<Page<License>> {
    const { extension, email, status } = query;
    if (extension !== undefined) await this.extensions.mustExist(tenantId, extension);
    const { limit, after } = readPage(query);
    const licenses = this.tx.repository(LicenseEntity);
    const found = licenses
      .createQueryBuilder('license')
      .select('license.id')
      .where('license.tenant_id = :tenantId and license.id < :after', { tenantId, after });
    if (extension !== undefined) found.andWhere('license.extension_id = :extension', { extension });
    if (email !== undefined) found.andWhere('license.buyer_email = :email', { email });
    if (status !== undefined) found.andWhere(STANDS[status], { now: this.clock.now() });
    newestFirst(found, limit);
    // The choice is an array of ids: an index alone makes it, however many licenses stand otherwise.
    const rows = await newestFirst(
      licenses.createQueryBuilder('license').where(`license.id = any(array(${found.getQuery()}))`),
      limit,
    )
      .setParameters(found.getParameters())
      .getMany();
    const shown = new Map((await this.show(rows)).map((license) => [license.id, license]));
    return toPage(rows, limit, ({ id }) => shown.get(id) as License);
  }

  /** With the devices that hold a seat. @throws LicenseNotFound */
  async get(tenantId: string, id: string): Promise<LicenseWithDevices> {
    const row = await this.tx.repository(LicenseEntity).findOneBy({ tenantId, id });
    if (row === null) throw new LicenseNotFound();
    const seats = await this.tx
      .repository(SeatEntity)
      .createQueryBuilder('seat')
      .where('seat.license_id = :id and seat.ended_at is null', { id })
      .orderBy('seat.first_seen_at', 'ASC')
      .addOrderBy('seat.id', 'ASC')
      .getMany();
    const devices = seats.map(({ id: seatId, label, firstSeenAt, lastSeenAt }) => ({
      id: seatId,
      label,
      firstSeenAt,
      lastSeenAt,
    }));
    return { ...(await this.shown(row)), devices };
  }

  /** Changes expiry or seats; what is absent stays. @throws LicenseNotFound */
  async update(tenantId: string, id: string, input: UpdateLicense): Promise<License> {
    return this.work(tenantId, id, async (license) => {
      const { expiresAt, maxActivations } = input;
      return this.book.change(license, {
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
        ...(maxActivations === undefined ? {} : { maxActivations }),
      });
    });
  }

  /** Ends a license for good, also one that a payment revoked; done twice it stays as it is. @throws LicenseNotFound */
  async revoke(tenantId: string, id: string): Promise<License> {
    return this.work(tenantId, id, async (license) => {
      if (license.revokedAt !== null && !isRevokedByPayment(license)) return license;
      await this.tell(license, 'license_revoked', `The license …${license.codeHint} was revoked.`);
      return this.book.change(license, { revokedAt: license.revokedAt ?? this.clock.now(), revokedFor: 'tenant' });
    });
  }

  /** Suspends a license until the tenant reinstates it. @throws LicenseNotFound, LicenseRevoked */
  async suspend(tenantId: string, id: string): Promise<License> {
    return this.work(tenantId, id, async (license) => {
      if (license.revokedAt !== null) throw new LicenseRevoked();
      if (license.suspendedFor.includes('tenant')) return license;
      await this.tell(license, 'license_suspended', `The license …${license.codeHint} was suspended.`);
      return this.book.change(license, { suspendedFor: [...license.suspendedFor, 'tenant'] });
    });
  }

  /**
   * Lifts every suspension, and the revocation that a payment caused: the tenant has the last word.
   * @throws LicenseNotFound, LicenseRevoked when the tenant revoked it himself
   */
  async reinstate(tenantId: string, id: string): Promise<License> {
    return this.work(tenantId, id, async (license) => {
      if (license.revokedAt !== null && !isRevokedByPayment(license)) throw new LicenseRevoked();
      if (license.revokedAt === null && license.suspendedFor.length === 0) return license;
      await this.tell(license, 'license_reinstated', `The license …${license.codeHint} was reinstated.`);
      return this.book.change(license, { suspendedFor: [], revokedAt: null, revokedFor: null });
    });
  }

  /** Replaces the code; the seats stay. @throws LicenseNotFound, LicenseRevoked */
  async rotate(tenantId: string, id: string): Promise<IssuedLicense> {
    let code = '';
    const license = await this.work(tenantId, id, async (locked) => {
      if (locked.revokedAt !== null) throw new LicenseRevoked();
      const before = locked.codeHint;
      code = await this.book.rotate(locked);
      await this.tell(locked, 'license_rotated', `The code of the license …${before} is …${locked.codeHint} now.`);
      return locked;
    });
    return { ...license, code };
  }

  /** Erases a revoked license with its seats and the buyer's address. @throws LicenseNotFound, LicenseNotRevoked */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const license = await this.book.lock(tenantId, id);
      if (license === null) throw new LicenseNotFound();
      if (license.revokedAt === null) throw new LicenseNotRevoked();
      await this.book.erase(license);
      await this.tell(license, 'license_deleted', `The license …${license.codeHint} was deleted.`);
    });
  }

  private work(
    tenantId: string,
    id: string,
    change: (license: LicenseEntity) => Promise<LicenseEntity>,
  ): Promise<License> {
    return this.tx.run(async () => {
      const license = await this.book.lock(tenantId, id);
      if (license === null) throw new LicenseNotFound();
      return this.shown(await change(license));
    });
  }

  /** Adds to the extension's timeline, without the buyer's address: that is erased with the license, and a timeline stays. */
  private tell({ id, extensionId, planId }: LicenseEntity, kind: string, message: string): Promise<void> {
    return this.events.append({ extensionId, kind, message, data: { licenseId: id, planId } });
  }

  private async shown(row: LicenseEntity): Promise<License> {
    const [license] = await this.show([row]);
    if (license === undefined) throw new Error('Each license is shown');
    return license;
  }

  private async show(rows: readonly LicenseEntity[]): Promise<readonly License[]> {
    if (rows.length === 0) return [];
    const plans = await this.tx.repository(PlanEntity).findBy({ id: In(rows.map(({ planId }) => planId)) });
    const planOf = new Map(plans.map((plan) => [plan.id, plan]));
    const counts = await this.tx.query<{ readonly licenseId: string; readonly used: number }>(
      `select license_id as "licenseId", count(*)::int as used from seat
        where license_id = any($1) and ended_at is null group by license_id`,
      [rows.map(({ id }) => id)],
    );
    const usedOf = new Map(counts.map(({ licenseId, used }) => [licenseId, used]));
    const now = this.clock.now();
    return rows.map((row) => toLicense(row, planOf.get(row.planId), usedOf.get(row.id) ?? 0, now));
  }
}

const newestFirst = (found: SelectQueryBuilder<LicenseEntity>, limit: number): SelectQueryBuilder<LicenseEntity> =>
  found.orderBy('license.id', 'DESC').limit(limit + 1);

function toLicense(row: LicenseEntity, plan: PlanEntity | undefined, used: number, now: Date): License {
  if (plan === undefined) throw new Error('A license has a plan');
  return {
    id: row.id,
    planId: row.planId,
    extensionId: row.extensionId,
    tier: plan.tier,
    buyerEmail: row.buyerEmail,
    codeHint: row.codeHint,
    status: statusOf(row, now),
    suspendedFor: shownSuspension(row),
    revokedFor: row.revokedFor,
    expiresAt: row.expiresAt,
    maxActivations: row.maxActivations,
    source: row.source,
    delivery: row.delivery,
    seats: { used, max: row.maxActivations ?? plan.maxActivations },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

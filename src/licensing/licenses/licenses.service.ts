import { Injectable } from '@nestjs/common';
import { InvalidRequest, orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import type { Precondition } from '../../common/http/index.js';
import {
  beginningWith,
  domainsBeginningWith,
  foldEmail,
  type ListCount,
  MOST_COUNTED,
  namesWith,
  pageFrom,
  type Page,
  type TextRange,
  toCount,
} from '../../common/fields/index.js';
import { AuditLog, type Action } from '../../platform/audit/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { CodesService } from '../codes/index.js';
import {
  LicenseNeverExpires,
  LicenseNotBegun,
  LicenseNotFound,
  LicenseNotRevoked,
  LicenseRevoked,
} from '../licensing.problems.js';
import {
  extendedBy,
  type LicensePlanEntity,
  LicensePlansService,
  renewalOf,
  termOf,
  type LicenseTerm,
  type Term,
} from '../plans/index.js';
import { LicenseLifecycleService } from './license-lifecycle.service.js';
import { LicensesRepository, type LicenseChange } from './licenses.repository.js';
import { ListedLicensesRepository, type LicenseFilter, type ListedLicense } from './listed-licenses.repository.js';
import { importSource, ISSUED_BY_HAND, type LicenseEntity } from './license.entity.js';
import { PurchaseLookup } from './purchase-lookup.js';
import { SHORTEST_PART_OF_ORDER } from './order-search.js';
import {
  changeByTenant,
  devicesAllowed,
  planChange,
  shownSuspension,
  statusOf,
  type StatusAction,
} from './license-status.js';
import { teamOf } from './team.js';
import type {
  IssuedLicense,
  IssueLicense,
  License,
  LicenseSelection,
  ListLicenses,
  UpdateLicense,
} from './licenses.dto.js';

const hintIn = (text: string): string => text.replace(/^(…|\.{3})/, '').toUpperCase();

/** Times in requests end before it, too. */
const NO_END = new Date('3000-01-01T00:00:00Z');
const TOO_LONG = { field: 'count', message: 'must lead to an end before the year 3000.' };

const OTHER_EXTENSION = { field: 'planId', message: 'must be a plan of the same extension.' };

type LicenseAction = Extract<Action, `license.${string}`>;

/** Names of the actions in events and in the audit log. */
const DONE = { revoke: 'revoked', suspend: 'suspended', reinstate: 'reinstated' } as const;

/** Licenses for their tenants. */
@Injectable()
export class LicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodesService,
    private readonly extensions: ExtensionsService,
    private readonly licensePlans: LicensePlansService,
    private readonly licenses: LicensesRepository,
    private readonly listed: ListedLicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly purchases: PurchaseLookup,
    private readonly audit: AuditLog,
  ) {}

  /** Issues a license by hand. */
  async issue(tenantId: string, { planId, expiresAt, ...rest }: IssueLicense): Promise<IssuedLicense> {
    return this.tx.run(async () => {
      // The lock keeps the plan from being changed or deleted before the license exists, and others may issue meanwhile.
      const plan = await this.licensePlans.getForShare(tenantId, planId);
      const { license, code } = await this.lifecycle.issue({
        ...rest,
        tenantId,
        plan,
        ...termGiven(plan, expiresAt, this.clock.now()),
        source: ISSUED_BY_HAND,
      });
      await this.lifecycle.addEvent(license, 'license_issued', `License …${license.codeHint} was issued by hand.`);
      await this.audit.record(tenantId, 'license.issued', license, { after: license });
      return { ...(await this.get(tenantId, license.id)), code };
    });
  }

  /** Lists a tenant's licenses, newest first. */
  async list(tenantId: string, query: ListLicenses): Promise<Page<License>> {
    const filter = await this.filterOf(tenantId, query);
    const now = this.clock.now();
    return pageFrom(
      query,
      (start) => this.listed.list(tenantId, filter, start, now),
      (row) => toLicense(row, now),
    );
  }

  /** Counts a tenant's licenses, as far as a count goes. */
  async count(tenantId: string, selection: LicenseSelection): Promise<ListCount> {
    const filter = await this.filterOf(tenantId, selection);
    return toCount(await this.listed.count(tenantId, filter, MOST_COUNTED + 1, this.clock.now()));
  }

  /** Reads which licenses a list names: orders become the ids of their licenses. */
  async filterOf(tenantId: string, { order, search, ...filter }: LicenseSelection): Promise<LicenseFilter> {
    if (filter.extension !== undefined) await this.extensions.getOrThrow(tenantId, filter.extension);
    return {
      ...filter,
      ...(order === undefined
        ? {}
        : { ids: await this.idsOfOrders(tenantId, order, { from: order, to: order }, null) }),
      ...(search === undefined ? {} : { search: await this.searchOf(tenantId, search) }),
    };
  }

  private async searchOf(tenantId: string, text: string): Promise<NonNullable<LicenseFilter['search']>> {
    const orders = text.length < SHORTEST_PART_OF_ORDER ? null : beginningWith(text);
    const ids = await this.idsOfOrders(tenantId, text, orders, namesWith(text));
    const folded = foldEmail(text);
    return {
      email: beginningWith(folded),
      domain: domainsBeginningWith(folded),
      codeHint: beginningWith(hintIn(text)),
      ids,
    };
  }

  private async idsOfOrders(
    tenantId: string,
    order: string,
    orders: TextRange | null,
    names: string | null,
  ): Promise<readonly string[]> {
    const imported = orders === null ? [] : await this.licenses.findOfSources(tenantId, [order, importSource(order)]);
    const sold = orders === null && names === null ? [] : await this.purchases.licenseIdsOf(tenantId, orders, names);
    return [...imported.map(({ id }) => id), ...sold];
  }

  /** Finds a license by its whole code. */
  async findByCode(tenantId: string, code: string): Promise<License> {
    const own = await this.extensions.listNames(tenantId);
    const read = new Set(own.flatMap(({ id }) => this.codes.read(id, code) ?? []));
    const digests = [...read].flatMap((symbols) => this.codes.possibleDigests(symbols));
    const license = digests.length === 0 ? null : await this.licenses.findByCode(digests);
    if (license?.tenantId !== tenantId) throw new LicenseNotFound();
    return this.get(tenantId, license.id);
  }

  /** Retrieves a license. */
  async get(tenantId: string, id: string): Promise<License> {
    return toLicense(orThrow(await this.listed.findListed(tenantId, id), LicenseNotFound), this.clock.now());
  }

  /** Changes a license; absent fields stay as they are. */
  async update(tenantId: string, id: string, input: UpdateLicense, expected: Precondition): Promise<License> {
    const { expiresAt, planId, ...rest } = input;
    const plan = planId === undefined ? null : await this.licensePlans.getOrThrow(tenantId, planId);
    return this.changeLocked(tenantId, id, 'license.updated', async (license) => {
      expected.check(license);
      if (plan !== null && plan.extensionId !== license.extensionId) throw new InvalidRequest([OTHER_EXTENSION]);
      if (plan !== null && plan.id !== license.planId)
        await this.lifecycle.addEvent(
          license,
          'license_plan_changed',
          `License …${license.codeHint} has the plan ${plan.tier} now.`,
        );
      return this.licenses.change(license, {
        ...rest,
        ...(plan === null || plan.id === license.planId ? {} : this.planChange(license, plan)),
        // An end of its own, or none, takes the place of a duration that waits for the first activation.
        ...(expiresAt === undefined ? {} : endGiven(license, expiresAt)),
      });
    });
  }

  /** The terms of another plan, which a license that renews also waits by. */
  private planChange({ renewalLeewayHours }: LicenseEntity, plan: LicensePlanEntity) {
    const hours = this.licensePlans.leewayHoursOf(plan);
    return { ...planChange(plan), ...(renewalLeewayHours !== null && { renewalLeewayHours: hours }) };
  }

  /** Extends a license by a term after its end, or after now if it has ended. */
  extend(tenantId: string, id: string, term: Term, expected: Precondition): Promise<License> {
    return this.changeLocked(tenantId, id, 'license.updated', async (license) => {
      expected.check(license);
      if (license.revokedAt !== null) throw new LicenseRevoked(license);
      if (license.duration !== null) throw new LicenseNotBegun();
      if (license.expiresAt === null) throw new LicenseNeverExpires();
      const expiresAt = extendedBy(license.expiresAt, term, this.clock.now());
      if (expiresAt >= NO_END) throw new InvalidRequest([TOO_LONG]);
      return this.licenses.change(license, { expiresAt, renewalLeewayHours: null });
    });
  }

  /** Revokes a license finally, also one that a payment revoked. Repeating it changes nothing. */
  revoke(tenantId: string, id: string): Promise<License> {
    return this.changeStatus(tenantId, id, 'revoke');
  }

  /** Suspends a license until the tenant reinstates it. */
  suspend(tenantId: string, id: string): Promise<License> {
    return this.changeStatus(tenantId, id, 'suspend');
  }

  /**
   * Lifts every suspension and a revocation by a payment: the tenant has the last word.
   * @throws LicenseRevoked when the tenant revoked the license
   */
  reinstate(tenantId: string, id: string): Promise<License> {
    return this.changeStatus(tenantId, id, 'reinstate');
  }

  /** Replaces the code; devices keep their seats. */
  async rotate(tenantId: string, id: string): Promise<IssuedLicense> {
    let code = '';
    const license = await this.changeLocked(tenantId, id, 'license.rotated', async (locked) => {
      if (locked.revokedAt !== null) throw new LicenseRevoked(locked);
      const before = locked.codeHint;
      code = await this.lifecycle.replaceCode(locked);
      await this.lifecycle.addEvent(
        locked,
        'license_rotated',
        `The code …${before} was replaced by …${locked.codeHint}.`,
      );
      return locked;
    });
    return { ...license, code };
  }

  /** Deletes a revoked license with its seats and the buyer's address. */
  async delete(tenantId: string, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      const license = orThrow(await this.lifecycle.findToErase(tenantId, id), LicenseNotFound);
      expected.check(license);
      if (license.revokedAt === null) throw new LicenseNotRevoked();
      await this.lifecycle.erase(license);
      await this.lifecycle.addEvent(license, 'license_deleted', `License …${license.codeHint} was deleted.`);
      await this.audit.record(tenantId, 'license.deleted', license, { before: license });
    });
  }

  private changeStatus(tenantId: string, id: string, action: StatusAction): Promise<License> {
    const done = DONE[action];
    return this.changeLocked(tenantId, id, `license.${done}`, async (license) => {
      const change = changeByTenant(license, action, this.clock.now());
      if (change === 'refused') throw new LicenseRevoked(license);
      if (change === 'unchanged') return license;
      await this.lifecycle.addEvent(license, `license_${done}`, `License …${license.codeHint} was ${done}.`);
      return this.licenses.change(license, change);
    });
  }

  /** Runs a change on a license that it locks, and records it as this action. */
  private changeLocked(
    tenantId: string,
    id: string,
    action: LicenseAction,
    change: (license: LicenseEntity) => Promise<LicenseEntity>,
  ): Promise<License> {
    return this.tx.run(async () => {
      const license = orThrow(await this.licenses.findForUpdate(tenantId, id), LicenseNotFound);
      const before = { ...license };
      const after = await change(license);
      await this.audit.record(tenantId, action, after, { before, after });
      return this.get(tenantId, id);
    });
  }
}

/** What an end that the tenant chooses changes: it is meant, also where a subscription would renew the license. */
function endGiven({ expiresAt: before, renewalLeewayHours }: LicenseEntity, given: string | null): LicenseChange {
  const expiresAt = given === null ? null : new Date(given);
  const isSame = expiresAt?.getTime() === before?.getTime();
  return { expiresAt, duration: null, renewalLeewayHours: isSame ? renewalLeewayHours : null };
}

/** The term of a license that is issued: absent takes the plan's, null none. */
export const termGiven = (
  plan: Pick<LicensePlanEntity, 'duration' | 'durationFrom'>,
  given: string | null | undefined,
  now: Date,
): LicenseTerm =>
  given === undefined ? termOf(plan, now) : { expiresAt: given === null ? null : new Date(given), duration: null };

/** Shows a license as it is at a moment. */
export function toLicense(
  {
    planMaxActivations,
    planMaxMembers,
    planSeatsPerMember,
    used,
    members,
    revokedAt,
    suspendedFor,
    ...row
  }: ListedLicense,
  now: Date,
): License {
  const state = { ...row, revokedAt, suspendedFor };
  const plan = { maxActivations: planMaxActivations, maxMembers: planMaxMembers, seatsPerMember: planSeatsPerMember };
  const team = teamOf(row, plan);
  return {
    ...row,
    ...renewalOf(row),
    team: team === null ? null : { members, ...team },
    status: statusOf(state, now),
    suspendedFor: shownSuspension(state),
    seats: { used, max: devicesAllowed(row.maxActivations, planMaxActivations) },
  };
}

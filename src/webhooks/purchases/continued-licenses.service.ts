import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { isOwnClaim } from '../../common/fields/index.js';
import { Clock, HOUR_MS } from '../../common/system/index.js';
import {
  CodeClaimsService,
  CodeMailsService,
  LicenseLifecycleService,
  LicensesRepository,
  newDelivery,
  type LicenseEntity,
  type MailedOrder,
  type SoldPlan,
} from '../../licensing/index.js';
import { endOfDuration } from '../../licensing/pure.js';
import { AuditLog } from '../../platform/audit/index.js';
import type { Seller } from '../seller.js';
import { licenseAction } from './license-change.js';
import { type LicenseOrder, slotFields } from './licenses-owed.js';
import { continuedBy, type Continuable, holderOf, inOrder, nextOf, paidTurn, type Turn } from './license-turns.js';
import { orderOf } from './mailed-order.js';
import { licenseNamedIn, whyDeclined } from './named-license.js';
import type { LicenseIssue, LockedSlot, PurchaseChange } from './purchase-change.js';
import { NEW_SLOT, type PurchaseEntity, type PurchaseLicenseRow } from './purchase.entity.js';
import { type PurchaseTurn, PurchasesRepository } from './purchases.repository.js';
import { type OwnTurn, SharedLicensesService } from './shared-licenses.service.js';
import { formerOf, seatsGiven, stateOf } from './turn-state.js';

/** Longest delay of a claim token after its purchase. */
const TOKEN_LATE_MS = HOUR_MS;
/** Of a buyer who has more, the newest ones are looked at. */
const LICENSES_LOOKED_AT = 100;

/** A license of the buyer with the purchases that it has had. */
interface Candidate extends Continuable {
  readonly license: LicenseEntity;
  readonly turns: readonly OwnTurn[];
  readonly holder: OwnTurn | null;
}

/** Licenses that go on with another purchase of their buyer. Every method runs inside its caller's transaction. */
@Injectable()
export class ContinuedLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly purchases: PurchasesRepository,
    private readonly shared: SharedLicensesService,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly mails: CodeMailsService,
    private readonly claims: CodeClaimsService,
    private readonly audit: AuditLog,
  ) {}

  /** Lets purchases continue or upgrade licenses that their buyers have. @returns what is left to issue, with the slots that were added */
  async continueAll(seller: Seller, issues: readonly LicenseIssue[]): Promise<readonly LicenseIssue[]> {
    const emails = [...new Set(issues.filter(({ orders }) => orders.length > 0).map(({ buyerEmail }) => buyerEmail))];
    const named = issues.flatMap(({ notified }) => licenseNamedIn(notified.row.paid) ?? []);
    const found = await this.findForUpdate(seller.tenantId, emails, named);
    const rest: LicenseIssue[] = [];
    for (const issue of issues) rest.push(await this.continueOne(issue, found));
    return rest;
  }

  /** Lets a token claim the code of a license: another one where a purchase continues the license, since nobody knows that again. */
  async setToken(
    license: LicenseEntity,
    { origin, planId }: Pick<PurchaseLicenseRow, 'origin' | 'planId'>,
    notified: PurchaseChange,
    tokenDigest: string,
  ): Promise<void> {
    const { issuedAt } = notified.row;
    const isNew = issuedAt !== null && this.clock.now().getTime() - issuedAt.getTime() < TOKEN_LATE_MS;
    const plan = origin === 'made' ? null : await this.shared.findPlan(license.tenantId, planId);
    if (plan === null) return this.claims.setToken(license.id, tokenDigest);
    if (isNew && notified.before.claimToken === null)
      await this.giveCode({ license, plan, order: orderOf(notified) }, tokenDigest);
  }

  /** Gives a code to who claims it: a device one of its own, the seller's page a new one of the license. Devices keep their seats. */
  private async giveCode({ license, plan, order }: Continued, tokenDigest: string): Promise<void> {
    if (isOwnClaim(tokenDigest)) return this.claims.addAll([{ license, code: null, tokenDigest }]);
    const code = await this.lifecycle.replaceCode(license, newDelivery());
    await this.mails.sendAll(license.tenantId, [{ license, plan, code, licenseCount: 1, order }]);
    await this.claims.addAll([{ license, code, tokenDigest }]);
  }

  private async findForUpdate(
    tenantId: string,
    emails: readonly string[],
    named: readonly string[],
  ): Promise<readonly Candidate[]> {
    if (emails.length === 0) return [];
    const ids = await this.licenses.idsOfBuyers(tenantId, emails, named, LICENSES_LOOKED_AT);
    if (ids.length === 0) return [];
    // Before the licenses, as every change of a turn locks them.
    await this.purchases.lockTurns(ids);
    const locked = await this.licenses.findAllForUpdate(tenantId, ids);
    // Only now: a purchase at another processor may have got its turn while this one waited.
    const turns = await this.purchases.findTurnsForUpdate(ids);
    return locked.map((license) =>
      this.candidateOf(
        license,
        turns.filter(({ row }) => row.licenseId === license.id),
      ),
    );
  }

  private candidateOf(license: LicenseEntity, rows: readonly PurchaseTurn[]): Candidate {
    const turns = rows.map((one) => this.shared.turnOf(one, license));
    const holder = turns.find(({ row }) => row.passedAt === null) ?? null;
    const end = holder === null ? (license.expiresAt?.toISOString() ?? null) : holder.until;
    return { id: license.id, planId: license.planId, license, turns, holder, end };
  }

  private async continueOne(issue: LicenseIssue, found: readonly Candidate[]): Promise<LicenseIssue> {
    const { notified, orders, buyerEmail } = issue;
    const { row, handling } = notified;
    const wanted = { extensionIds: orders.map(({ plan }) => plan.extensionId), buyerEmail, isTest: handling.isTest };
    const named = licenseNamedIn(row.paid);
    const target = found.find(({ id }) => id === named) ?? null;
    if (named !== null && orders.length > 0) row.declined = whyDeclined(target?.license ?? null, wanted);
    const upgraded = row.declined === null ? target : null;
    const open = found.filter(({ license }) => whyDeclined(license, wanted) === null);
    const slots = [...issue.slots];
    const left: LicenseOrder[] = [];
    for (const owed of orders) {
      const position = Math.max(0, ...slots.map((slot) => slot.position)) + 1;
      const free = open.filter(
        ({ id, license }) =>
          license.extensionId === owed.plan.extensionId && !slots.some((slot) => slot.license?.id === id),
      );
      const own = turnFor(row, owed, position);
      const isNamed = upgraded !== null && free.includes(upgraded);
      const candidate = isNamed ? upgraded : continuedBy(own, owed.plan.id, free);
      const origin = isNamed ? 'upgraded' : 'returned';
      if (candidate === null) left.push(owed);
      else slots.push(await this.take({ candidate, own: { ...own, origin }, owed, position, notified }));
    }
    return { ...issue, slots, orders: left };
  }

  /** Adds the turn of a purchase to a license, and lets the license follow the purchase unless a later one has it. */
  private async take(taking: Taking): Promise<LockedSlot> {
    const { candidate, own, owed, position, notified } = taking;
    const { row } = notified;
    const { license, turns, holder } = candidate;
    const wasUnpaid = turns.length === 0;
    const order = inOrder<Turn>([...turns, own]);
    const isHolder = holderOf(order, wasUnpaid || turns.some((turn) => turn.row.former?.wasUnpaid === true)) === own;
    const next = nextOf(own, order);
    const passedAt = next === null ? this.clock.now() : new Date(next.boughtAt);
    const slot = {
      purchaseId: row.id,
      position,
      ...slotFields(owed),
      licenseId: license.id,
      ...NEW_SLOT,
      origin: own.origin,
      passedAt: isHolder ? null : passedAt,
      former: isHolder || wasUnpaid ? formerOf(license, { wasUnpaid, turn: holder?.id ?? null }) : null,
    };
    const passed = isHolder && holder !== null ? [Object.assign(holder.row, { passedAt: new Date(own.boughtAt) })] : [];
    await this.purchases.saveLicenses([...passed, slot]);
    row.issuedAt ??= this.clock.now();
    if (isHolder) await this.follow(taking);
    const { planId, isOnce } = slot;
    const { extensionId } = license;
    return { row: slot, license, others: turns, position, planId, extensionId, isOnce, isEnded: false, isDead: false };
  }

  /** Lets a license follow the purchase that took it over, and tells its buyer. */
  private async follow({ candidate: { license, holder }, own, owed, notified }: Taking): Promise<void> {
    const { paid } = notified.row;
    const order = orderOf(notified);
    const now = this.clock.now();
    const seats = seatsGiven(license, holder?.row);
    const taken = { row: { ...owed, endedAt: null }, paid };
    const change = stateOf(license, taken, { plan: owed.plan, former: null, seats, now, terms: this.config });
    const isOpen = change.expiresAt == null || change.expiresAt > now;
    const token = paid.claimToken?.value ?? null;
    const isTold = isOpen && (token === null || isOwnClaim(token));
    const before = { ...license };
    const after = await this.licenses.change(license, { ...change, ...(isTold ? newDelivery() : {}) });
    const isUpgrade = own.origin === 'upgraded';
    const message = `License …${license.codeHint} ${isUpgrade ? 'was upgraded by' : 'goes on with'} another purchase of its buyer.`;
    await this.lifecycle.addEvent(license, isUpgrade ? 'license_upgraded' : 'license_continued', message);
    await this.audit.record(license.tenantId, licenseAction(before, after), after, { before, after });
    if (token !== null) await this.giveCode({ license, plan: owed.plan, order }, token);
    if (isTold) await this.mails.tellOfMore(license, owed.plan, { isUpgrade, order });
  }
}

/** A license that a purchase continues. */
interface Continued {
  readonly license: LicenseEntity;
  readonly plan: SoldPlan;
  readonly order: MailedOrder;
}

/** A purchase that takes a license over. */
interface Taking {
  readonly candidate: Candidate;
  readonly own: Turn;
  readonly owed: LicenseOrder;
  readonly position: number;
  readonly notified: PurchaseChange;
}

/** The turn that a purchase would have with a license. Its end is that of its plan where it is sold once. */
function turnFor({ id, paid }: PurchaseEntity, owed: LicenseOrder, position: number): Turn {
  const turn = paidTurn(paid, owed);
  const isPeriodic = paid.isSubscription && !owed.isOnce;
  const end = isPeriodic ? null : endOfDuration(new Date(turn.boughtAt), owed.plan.duration);
  return { id: `${id}/${position}`, origin: 'returned', ...turn, until: turn.until ?? end?.toISOString() ?? null };
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import {
  CodeClaimsService,
  LicenseLifecycleService,
  LicensesRepository,
  importSource,
  type LicenseChange,
  type LicenseEntity,
} from '../../licensing/index.js';
import { Processors } from '../../payments/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import {
  type BoughtPart,
  entitlementOf,
  isSameOrder,
  newRevocation,
  NO_PAYMENTS,
  type PaymentRecord,
  recordFor,
  wanted,
  withImported,
} from '../ledger/index.js';
import {
  changeByOrder,
  changeByPayments,
  endedBy,
  isAwaitingPayment,
  licenseAction,
  whyPaymentHadNoEffect,
} from './license-change.js';
import {
  earlierReason,
  followedReason,
  idIn,
  NO_LICENSE_YET,
  NOTHING_CHANGED,
  unlinkedReason,
  UNRELATED,
  WAITING_REASON,
} from './notification-reasons.js';
import { assignLicenses, slotFields, type Assignment, type LicenseOrder, type Order } from './licenses-owed.js';
import { IssuedLicensesService, type LicenseIssue } from './issued-licenses.service.js';
import type { Handling, LockedSlot, Outcome, PurchaseChange, PurchaseOutcome } from './purchase-change.js';
import type { PurchaseEntity, PurchaseLicenseEntity } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';
import { OwedLicensesService } from './owed-licenses.service.js';
import type { Seller } from '../seller.js';

/** The licenses of purchases. Every method runs inside its caller's transaction. */
@Injectable()
export class PurchaseLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly processors: Processors,
    private readonly purchases: PurchasesRepository,
    private readonly owed: OwedLicensesService,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly issued: IssuedLicensesService,
    private readonly claims: CodeClaimsService,
    private readonly audit: AuditLog,
  ) {}

  /** Updates the licenses of purchases to what their payments say. @returns the outcome of each, in order */
  async updateLicenses(seller: Seller, changes: readonly PurchaseChange[]): Promise<readonly PurchaseOutcome[]> {
    const known = changes.filter(({ isNew }) => !isNew).map(({ row }) => row.id);
    const slots = await this.findSlotsForUpdate(seller, known);
    const slotsOf = ({ row }: PurchaseChange): readonly LockedSlot[] => slots.get(row.id) ?? [];
    const outcomes = await this.followImported(
      seller,
      changes.filter((notified) => slotsOf(notified).length === 0),
    );
    const own = changes.filter((notified) => !outcomes.has(notified));
    for (const { row, handling } of own) await this.applyWish(row, handling);
    const undecided = own.filter((notified) => !isDecided(notified, slotsOf(notified)));
    const orders = await this.owed.ordersOf(
      seller,
      undecided.map(({ row }) => row.paid),
    );
    const issues: LicenseIssue[] = [];
    const isBought = ({ row }: PurchaseChange): boolean => row.paid.purchasedAt !== null;
    for (const notified of own.filter(isBought)) {
      const order = orders.get(notified.row.paid) ?? null;
      outcomes.set(notified, await this.updateBought(notified, slotsOf(notified), order, issues));
    }
    await this.issued.issueAll(seller, issues);
    for (const notified of own.filter((one) => !isBought(one)))
      outcomes.set(notified, await this.withoutLicense(seller, notified, orders.get(notified.row.paid) ?? null));
    return changes.map((notified) => ({
      ...(outcomes.get(notified) ?? HANDLED),
      purchaseId: notified.row.id,
      isNew: notified.isNew,
    }));
  }

  /** @param issues takes the licenses to issue */
  private async updateBought(
    notified: PurchaseChange,
    slots: readonly LockedSlot[],
    order: Order | null,
    issues: LicenseIssue[],
  ): Promise<Outcome> {
    const { row, email } = notified;
    const change = order === null ? null : assignLicenses(slots, order.licenses, order.unmapped === null);
    const { reason, isChanged } = await this.changeLicenses(slots, change, notified);
    const handled = { status: 'handled', reason: reason ?? (isChanged ? null : NOTHING_CHANGED) } as const;
    if (order === null || change === null) return handled;
    if (change.issued.length > 0 && email === null) return { status: 'waiting', reason: WAITING_REASON };
    if (change.issued.length > 0 || row.unmapped !== order.unmapped)
      issues.push({ notified, slots, orders: change.issued, buyerEmail: email ?? '' });
    row.unmapped = order.unmapped;
    if (order.isUnrelated) return { status: 'handled', reason: UNRELATED };
    if (order.unmapped !== null) return { status: 'unmapped', reason: order.unmapped };
    return change.issued.length > 0 ? { ...handled, reason } : handled;
  }

  /** Lets purchases change the licenses that were imported with one of their ids as the order. @returns the outcomes of those that have any */
  private async followImported(
    seller: Seller,
    changes: readonly PurchaseChange[],
  ): Promise<Map<PurchaseChange, Outcome>> {
    const outcomes = new Map<PurchaseChange, Outcome>();
    const sourcesOf = ({ refs }: PurchaseChange): readonly string[] => refs.map((ref) => importSource(idIn(ref)));
    const sources = [...new Set(changes.flatMap(sourcesOf))];
    const licenses = sources.length === 0 ? [] : await this.licenses.findOfSources(seller.tenantId, sources);
    if (licenses.length === 0) return outcomes;
    for (const notified of changes) {
      const own = sourcesOf(notified);
      const imported = await this.adopt(
        seller,
        notified,
        licenses.filter(({ source }) => own.includes(source)),
      );
      if (imported.length === 0) continue;
      const { email, recipient, claimToken } = notified.row.paid;
      // Everything that was paid so far is new to it; whose license it is, and for which plan, says the import.
      const before = { ...NO_PAYMENTS, email, recipient, claimToken };
      const { reason } = await this.changeLicenses(imported, null, { ...notified, before });
      const hints = imported.flatMap(({ license }) => license?.codeHint ?? []);
      outcomes.set(notified, { status: 'handled', reason: reason ?? followedReason(hints) });
    }
    return outcomes;
  }

  /** Adds to a purchase those of the imported licenses that are its buyer's and no other purchase's. */
  private async adopt(
    seller: Seller,
    { row, email }: PurchaseChange,
    licenses: readonly LicenseEntity[],
  ): Promise<readonly LockedSlot[]> {
    if (licenses.length === 0) return [];
    const ofOthers = await this.purchases.takenAmong(licenses.map(({ id }) => id));
    const imported = licenses.filter((license) => !ofOthers.includes(license.id) && isOfBuyer(license, email));
    if (imported.length === 0) return [];
    await this.purchases.saveLicenses(
      imported.map(({ id, planId }, index) => ({
        purchaseId: row.id,
        position: index + 1,
        planId,
        units: 1,
        isOnce: false,
        products: [],
        licenseId: id,
        endedAt: null,
      })),
    );
    const paid = imported.reduce(withImported, row.paid);
    await this.purchases.save([Object.assign(row, { paid, issuedAt: this.clock.now() })]);
    return (await this.findSlotsForUpdate(seller, [row.id])).get(row.id) ?? [];
  }

  private async applyWish(row: PurchaseEntity, { issuesEarlier, planId }: Handling): Promise<void> {
    const isEarlier = row.paid.purchasedAt === null && row.paid.renewedAt !== null;
    // Most notifications of a seller who always issues are about purchases that began here.
    if (planId === null && !(issuesEarlier && isEarlier)) return;
    await this.purchases.save([Object.assign(row, { paid: wanted(row.paid, planId, this.clock.now()) })]);
  }

  /** Explains why a notification makes no license, and whether the tenant has to act. */
  private async withoutLicense(
    seller: Seller,
    { row, refs, takesBack }: PurchaseChange,
    order: Order | null,
  ): Promise<Outcome> {
    const { linkEvent, title } = this.processors.for(seller.processor);
    if (takesBack && linkEvent !== null && (await this.purchases.lacksLinks(seller, linkEvent)))
      return { status: 'unmapped', reason: unlinkedReason(linkEvent, title) };
    return row.paid.renewedAt === null || order === null || order.licenses.length === 0
      ? { status: 'handled', reason: NO_LICENSE_YET }
      : { status: 'unmapped', reason: earlierReason(refs) };
  }

  /** Finds the license slots of purchases, by purchase. */
  private async findSlotsForUpdate(
    { tenantId }: Seller,
    purchaseIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LockedSlot[]>> {
    const rows = await this.purchases.findLicensesOf(purchaseIds);
    const ids = rows.flatMap(({ licenseId }) => licenseId ?? []);
    const licenses = new Map(
      (await this.licenses.findAllForUpdate(tenantId, ids)).map((license) => [license.id, license]),
    );
    const slots = new Map<string, LockedSlot[]>();
    for (const row of rows) {
      const license = licenses.get(row.licenseId ?? '') ?? null;
      const { purchaseId, position, planId } = row;
      const slot = {
        row,
        license,
        position,
        planId,
        extensionId: license?.extensionId ?? null,
        isOnce: row.isOnce,
        isEnded: row.endedAt !== null,
        isDead: license === null || license.revokedAt !== null,
      };
      slots.set(purchaseId, [...(slots.get(purchaseId) ?? []), slot]);
    }
    return slots;
  }

  /** Changes what payments changed, and nothing that the tenant did. @returns whether anything has changed, and why a payment had no effect */
  private async changeLicenses(
    slots: readonly LockedSlot[],
    change: Assignment<LockedSlot> | null,
    notified: PurchaseChange,
  ): Promise<{ readonly reason: string | null; readonly isChanged: boolean }> {
    const { paid } = notified.row;
    const reasons: string[] = [];
    let isChanged = false;
    for (const slot of slots) {
      const owed = change?.pairs.find((one) => one.slot === slot)?.owed ?? null;
      const isEnding = change?.ended.includes(slot) === true;
      const endedAt = owed !== null ? null : isEnding ? this.clock.now() : slot.row.endedAt;
      if (slot.license !== null) {
        if (await this.changeLicense(slot.license, slot.row, { endedAt, owed, paid, notified })) isChanged = true;
        const reason = endedAt === null ? whyNotRenewed(slot.license, owed ?? slot.row, paid, notified) : null;
        if (reason !== null) {
          await this.lifecycle.addEvent(slot.license, 'payment_on_ended_license', reason);
          reasons.push(reason);
        }
      }
      Object.assign(slot.row, { endedAt, ...(owed === null ? {} : slotFields(owed)) });
    }
    if (change !== null) await this.purchases.saveLicenses(slots.map(({ row }) => row));
    return { reason: reasons.length === 0 ? null : reasons.join(' '), isChanged };
  }

  /** @returns whether it has changed */
  private async changeLicense(
    license: LicenseEntity,
    row: PurchaseLicenseEntity,
    { endedAt, owed, paid, notified: { before, email } }: LicenseUpdate,
  ): Promise<boolean> {
    const grace = this.config.dunningGraceDays;
    const change: Mutable<LicenseChange> = changeByPayments(
      license,
      endedBy(entitlementOf(before, grace, row), row.endedAt),
      endedBy(entitlementOf(paid, grace, owed ?? row), endedAt),
      newRevocation(before, paid),
      this.clock.now(),
    );
    if (email !== null && email !== license.buyerEmail && addressIn(before) !== addressIn(paid))
      change.buyerEmail = email;
    Object.assign(change, changeByOrder(row, owed));
    const token = paid.claimToken?.value;
    if (token !== undefined && token !== before.claimToken?.value) await this.claims.setToken(license.id, token);
    if (Object.keys(change).length === 0) return false;
    const former = { ...license };
    const after = await this.licenses.change(license, change, !isAwaitingPayment(paid));
    await this.audit.record(license.tenantId, licenseAction(former, after), after, { before: former, after });
    return true;
  }
}

/** Changes of a license of a purchase. */
interface LicenseUpdate {
  readonly endedAt: Date | null;
  /** The license's new order; null when the order has not changed. */
  readonly owed: LicenseOrder | null;
  readonly paid: PaymentRecord;
  readonly notified: PurchaseChange;
}

const HANDLED: Outcome = { status: 'handled', reason: null };

const addressIn = ({ recipient, email }: PaymentRecord): string | undefined => (recipient ?? email)?.value;

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Lemon Squeezy numbers orders, subscriptions and invoices each from one, so that a number alone may be that of another buyer's. */
const isOfBuyer = ({ source, buyerEmail }: LicenseEntity, email: string | null): boolean =>
  !/:\d+$/.test(source) || (email !== null && buyerEmail === email);

/**
 * Whether the licenses of a purchase follow from what was decided earlier: a change of the plans does not move an earlier purchase, unless the
 * tenant replays a notification. Nothing is decided before anything is paid.
 */
function isDecided({ row, before, handling }: PurchaseChange, slots: readonly LockedSlot[]): boolean {
  const { paid, unmapped } = row;
  if (paid.purchasedAt === null) return paid.renewedAt === null;
  return slots.length > 0 && unmapped === null && !handling.isReplay && isSameOrder(before, paid);
}

/** Why a payment for a license does not reactivate it; null when it does, or nothing was paid for. */
function whyNotRenewed(
  license: LicenseEntity,
  part: BoughtPart,
  paid: PaymentRecord,
  { before, paidAt }: PurchaseChange,
): string | null {
  const [former, latest] = [recordFor(before, part), recordFor(paid, part)];
  return part.isOnce ? null : whyPaymentHadNoEffect(license, former, latest, paidAt);
}

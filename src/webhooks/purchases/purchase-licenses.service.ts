import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import {
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
import type { PurchaseEntity, PurchaseLicenseRow } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';
import { ContinuedLicensesService } from './continued-licenses.service.js';
import { ImportedLicensesService } from './imported-licenses.service.js';
import { LicenseSlotsService } from './license-slots.service.js';
import { declinedReason, licenseNamedIn } from './named-license.js';
import { SharedLicensesService } from './shared-licenses.service.js';
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
    private readonly slots: LicenseSlotsService,
    private readonly shared: SharedLicensesService,
    private readonly imported: ImportedLicensesService,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly issued: IssuedLicensesService,
    private readonly continued: ContinuedLicensesService,
    private readonly audit: AuditLog,
  ) {}

  /** Updates the licenses of purchases to what their payments say. @returns the outcome of each, in order */
  async updateLicenses(seller: Seller, changes: readonly PurchaseChange[]): Promise<readonly PurchaseOutcome[]> {
    const known = changes.filter(({ isNew }) => !isNew).map(({ row }) => row.id);
    const slots = await this.slots.findForUpdate(seller, known);
    const slotsOf = ({ row }: PurchaseChange): readonly LockedSlot[] => slots.get(row.id) ?? [];
    const outcomes = await this.followImported(
      seller,
      changes.filter((notified) => slotsOf(notified).length === 0),
    );
    const own = changes.filter((notified) => !outcomes.has(notified));
    for (const { row, handling } of own) await this.applyWish(row, handling);
    const leaving = new Set<PurchaseChange>();
    for (const notified of own)
      if (await this.shared.leave(slotsOf(notified), notified.row.paid)) leaving.add(notified);
    const undecided = own.filter((notified) => leaving.has(notified) || !isDecided(notified, slotsOf(notified)));
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
    const open = slots.filter(isOpen);
    const change = order === null ? null : assignLicenses(open, order.licenses, order.unmapped === null);
    const { reason, isChanged } = await this.changeLicenses(open, change, notified);
    const late = this.declineLate(notified, open, issues);
    const handled = { status: 'handled', reason: reason ?? late ?? (isChanged ? null : NOTHING_CHANGED) } as const;
    if (order === null || change === null) return handled;
    if (change.issued.length > 0 && email === null) return { status: 'waiting', reason: WAITING_REASON };
    if (change.issued.length > 0 || row.unmapped !== order.unmapped)
      issues.push({ notified, slots, orders: change.issued, buyerEmail: email ?? '' });
    row.unmapped = order.unmapped;
    if (order.isUnrelated) return { status: 'handled', reason: UNRELATED };
    if (order.unmapped !== null) return { status: 'unmapped', reason: order.unmapped };
    return change.issued.length > 0 ? { ...handled, reason } : handled;
  }

  /** Notes that a purchase names a license to upgrade after it has got its own. @returns the reason */
  private declineLate(notified: PurchaseChange, slots: readonly LockedSlot[], issues: LicenseIssue[]): string | null {
    const { row, before, email } = notified;
    const named = licenseNamedIn(row.paid);
    if (named === null || named === licenseNamedIn(before) || slots.length === 0) return null;
    if (slots.some(({ license }) => license?.id === named)) return null;
    row.declined = 'late';
    issues.push({ notified, slots, orders: [], buyerEmail: email ?? '' });
    return declinedReason(row.declined);
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
      const imported = await this.imported.adopt(
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
      const { license, row } = slot;
      if (license !== null) {
        const whose = await this.shared.payerOf(slot, notified);
        const isOwn = whose === 'this';
        if (
          whose === 'handed' ||
          (isOwn && (await this.changeLicense(license, row, { endedAt, owed, paid, notified })))
        )
          isChanged = true;
        const why = isOwn ? whyNotRenewed(license, owed ?? row, paid, notified) : this.shared.whyInVain(slot, notified);
        if (why !== null && endedAt === null) {
          await this.lifecycle.addEvent(license, 'payment_on_ended_license', why);
          reasons.push(why);
        }
      }
      Object.assign(row, { endedAt, ...(owed === null ? {} : slotFields(owed)) });
    }
    if (change !== null) await this.purchases.saveLicenses(slots.map((slot) => slot.row));
    return { reason: reasons.length === 0 ? null : reasons.join(' '), isChanged };
  }

  /** @returns whether it has changed */
  private async changeLicense(
    license: LicenseEntity,
    row: PurchaseLicenseRow,
    { endedAt, owed, paid, notified }: LicenseUpdate,
  ): Promise<boolean> {
    const { before, email } = notified;
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
    if (token !== undefined && token !== before.claimToken?.value)
      await this.continued.setToken(license, row, notified, token);
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

/** A license that a purchase has not left for another. */
const isOpen = ({ row }: LockedSlot): boolean => row.leftAt === null;

const HANDLED: Outcome = { status: 'handled', reason: null };

const addressIn = ({ recipient, email }: PaymentRecord): string | undefined => (recipient ?? email)?.value;

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Whether the licenses of a purchase follow from what was decided earlier: a change of the plans does not move an earlier purchase, unless the
 * tenant replays a notification. Nothing is decided before anything is paid.
 */
function isDecided({ row, before, handling }: PurchaseChange, slots: readonly LockedSlot[]): boolean {
  const { paid, unmapped } = row;
  if (paid.purchasedAt === null) return paid.renewedAt === null;
  return slots.some(isOpen) && unmapped === null && !handling.isReplay && isSameOrder(before, paid);
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

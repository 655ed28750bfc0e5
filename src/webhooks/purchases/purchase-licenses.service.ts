import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { LicensesRepository, importSource } from '../../licensing/index.js';
import { Processors } from '../../payments/index.js';
import { isSameOrder, NO_PAYMENTS, wanted } from '../ledger/index.js';
import type { Seller } from '../seller.js';
import { ImportedLicensesService } from './imported-licenses.service.js';
import { IssuedLicensesService } from './issued-licenses.service.js';
import { LicenseChangesService } from './license-changes.service.js';
import { LicenseSlotsService } from './license-slots.service.js';
import { assignLicenses, type Order } from './licenses-owed.js';
import { declinedReason, licenseNamedIn } from './named-license.js';
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
import { OwedLicensesService } from './owed-licenses.service.js';
import type {
  Handling,
  LicenseIssue,
  LockedSlot,
  Outcome,
  PurchaseChange,
  PurchaseOutcome,
} from './purchase-change.js';
import type { PurchaseEntity } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';
import { SharedLicensesService } from './shared-licenses.service.js';

/** The licenses of purchases. Every method runs inside its caller's transaction. */
@Injectable()
export class PurchaseLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly processors: Processors,
    private readonly purchases: PurchasesRepository,
    private readonly owed: OwedLicensesService,
    private readonly slots: LicenseSlotsService,
    private readonly shared: SharedLicensesService,
    private readonly imported: ImportedLicensesService,
    private readonly licenses: LicensesRepository,
    private readonly issued: IssuedLicensesService,
    private readonly changes: LicenseChangesService,
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
    const { reason, isChanged } = await this.changes.change(open, change, notified);
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
      const { reason } = await this.changes.change(imported, null, { ...notified, before });
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
}

/** A license that a purchase has not left for another. */
const isOpen = ({ row }: LockedSlot): boolean => row.leftAt === null;

const HANDLED: Outcome = { status: 'handled', reason: null };

/**
 * Whether the licenses of a purchase follow from what was decided earlier: a change of the plans does not move an earlier purchase, unless the
 * tenant replays a notification. Nothing is decided before anything is paid.
 */
function isDecided({ row, before, handling }: PurchaseChange, slots: readonly LockedSlot[]): boolean {
  const { paid, unmapped } = row;
  if (paid.purchasedAt === null) return paid.renewedAt === null;
  return slots.some(isOpen) && unmapped === null && !handling.isReplay && isSameOrder(before, paid);
}

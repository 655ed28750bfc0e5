import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import {
  CodeClaimsService,
  CodeMailsService,
  LicenseLifecycleService,
  LicensesRepository,
  importSource,
  newDelivery,
  type LicenseChange,
  type LicenseEntity,
} from '../../licensing/index.js';
import { Processors } from '../../payments/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import {
  type BoughtPart,
  type Entitlement,
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
  licenseAction,
  seatsOf,
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
import { assignLicenses, type Assignment, type LicenseOrder, type LicenseSlot } from './licenses-owed.js';
import type { Handling, Outcome, PurchaseChange, PurchaseOutcome } from './purchase-change.js';
import type { PurchaseEntity, PurchaseLicenseEntity } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';
import { OwedLicensesService } from './owed-licenses.service.js';
import type { Seller } from '../seller.js';

/** A license slot of a purchase. Its license is locked, and null when the tenant has deleted it. */
interface LockedSlot extends LicenseSlot {
  readonly row: PurchaseLicenseEntity;
  readonly license: LicenseEntity | null;
}

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
    private readonly mails: CodeMailsService,
    private readonly claims: CodeClaimsService,
    private readonly audit: AuditLog,
  ) {}

  /** Updates a purchase's licenses to what its payments say. */
  async updateLicenses(seller: Seller, row: PurchaseEntity, notified: PurchaseChange): Promise<PurchaseOutcome> {
    const about = { purchaseId: row.id, isNew: notified.isNew };
    const slots = notified.isNew ? [] : await this.findSlotsForUpdate(seller, row.id);
    const imported = slots.length > 0 ? [] : await this.adoptImported(seller, row, notified);
    if (imported.length > 0) {
      // Everything that was paid so far is new to it; whose license it is, and for which plan, says the import.
      const before = {
        ...NO_PAYMENTS,
        email: row.paid.email,
        recipient: row.paid.recipient,
        claimToken: row.paid.claimToken,
      };
      const { reason } = await this.changeLicenses(row, imported, null, { ...notified, before });
      return {
        ...about,
        status: 'handled',
        reason: reason ?? followedReason(imported.flatMap(({ license }) => license?.codeHint ?? [])),
      };
    }
    await this.applyWish(row, notified.handling);
    if (row.paid.purchasedAt === null) return { ...about, ...(await this.withoutLicense(seller, row, notified)) };
    return { ...about, ...(await this.updateBought(seller, row, slots, notified)) };
  }

  private async updateBought(
    seller: Seller,
    row: PurchaseEntity,
    slots: readonly LockedSlot[],
    notified: PurchaseChange,
  ): Promise<Outcome> {
    const { email, refs, handling } = notified;
    // A change of the plans does not move an earlier purchase, unless the tenant replays a notification.
    const isDecided =
      slots.length > 0 && row.unmapped === null && !handling.isReplay && isSameOrder(notified.before, row.paid);
    const order = isDecided ? null : await this.owed.orderOf(seller, row.paid);
    const change = order === null ? null : assignLicenses(slots, order.licenses, order.unmapped === null);
    const { reason, isChanged } = await this.changeLicenses(row, slots, change, notified);
    const handled = { status: 'handled', reason: reason ?? (isChanged ? null : NOTHING_CHANGED) } as const;
    if (order === null || change === null) return handled;
    if (change.issued.length > 0 && email === null) return { status: 'waiting', reason: WAITING_REASON };
    if (email !== null)
      await this.issueAll(seller, row, slots, change.issued, { buyerEmail: email, refs, isTest: handling.isTest });
    await this.purchases.saveIssue(Object.assign(row, { unmapped: order.unmapped }));
    if (order.isUnrelated) return { status: 'handled', reason: UNRELATED };
    if (order.unmapped !== null) return { status: 'unmapped', reason: order.unmapped };
    return change.issued.length > 0 ? { ...handled, reason } : handled;
  }

  /** Finds the licenses that were imported with one of a purchase's ids as their order. The purchase changes them from now on. */
  private async adoptImported(
    seller: Seller,
    row: PurchaseEntity,
    { refs, email }: PurchaseChange,
  ): Promise<readonly LockedSlot[]> {
    const sources = new Set(refs.map((ref) => importSource(idIn(ref))));
    const licenses = await this.licenses.findOfSources(seller.tenantId, [...sources]);
    if (licenses.length === 0) return [];
    const ofOthers = await this.purchases.takenAmong(licenses.map(({ id }) => id));
    const imported = licenses.filter((license) => !ofOthers.includes(license.id) && isOfBuyer(license, email));
    if (imported.length === 0) return [];
    for (const [index, { id, planId }] of imported.entries())
      await this.purchases.insertLicense({
        purchaseId: row.id,
        position: index + 1,
        planId,
        units: 1,
        isOnce: false,
        products: [],
        licenseId: id,
        endedAt: null,
      });
    const paid = imported.reduce(withImported, row.paid);
    await this.purchases.save(Object.assign(row, { paid, issuedAt: this.clock.now() }));
    return this.findSlotsForUpdate(seller, row.id);
  }

  private async applyWish(row: PurchaseEntity, { issuesEarlier, planId }: Handling): Promise<void> {
    const isEarlier = row.paid.purchasedAt === null && row.paid.renewedAt !== null;
    // Most notifications of a seller who always issues are about purchases that began here.
    if (planId === null && !(issuesEarlier && isEarlier)) return;
    await this.purchases.save(Object.assign(row, { paid: wanted(row.paid, planId, this.clock.now()) }));
  }

  /** Explains why a notification makes no license, and whether the tenant has to act. */
  private async withoutLicense(
    seller: Seller,
    { paid }: PurchaseEntity,
    { refs, takesBack }: PurchaseChange,
  ): Promise<Outcome> {
    const { linkEvent, title } = this.processors.for(seller.processor);
    if (takesBack && linkEvent !== null && (await this.purchases.lacksLinks(seller, linkEvent)))
      return { status: 'unmapped', reason: unlinkedReason(linkEvent, title) };
    const order = paid.renewedAt === null ? null : await this.owed.orderOf(seller, paid);
    return order === null || order.licenses.length === 0
      ? { status: 'handled', reason: NO_LICENSE_YET }
      : { status: 'unmapped', reason: earlierReason(refs) };
  }

  private async findSlotsForUpdate({ tenantId }: Seller, purchaseId: string): Promise<readonly LockedSlot[]> {
    const rows = await this.purchases.findLicensesOf(purchaseId);
    const slots: LockedSlot[] = [];
    for (const row of rows) {
      const license = row.licenseId === null ? null : await this.licenses.findForUpdate(tenantId, row.licenseId);
      const { position, planId } = row;
      slots.push({
        row,
        license,
        position,
        planId,
        extensionId: license?.extensionId ?? null,
        isOnce: row.isOnce,
        isEnded: row.endedAt !== null,
        isDead: license === null || license.revokedAt !== null,
      });
    }
    return slots;
  }

  private async issueAll(
    seller: Seller,
    row: PurchaseEntity,
    slots: readonly LockedSlot[],
    orders: readonly LicenseOrder[],
    bought: { readonly buyerEmail: string; readonly refs: readonly string[]; readonly isTest: boolean },
  ): Promise<void> {
    const first = Math.max(0, ...slots.map(({ position }) => position)) + 1;
    const total = slots.filter(({ isEnded }) => !isEnded).length + orders.length;
    // A license that is active although its payments revoke it was reinstated by the tenant.
    const isReinstated = slots.some(({ license }) => license !== null && license.revokedAt === null);
    for (const [index, owed] of orders.entries()) {
      const position = first + index;
      const entitlement = entitlementOf(row.paid, this.config.dunningGraceDays, owed);
      const entitled = isReinstated ? { ...entitlement, revokedFor: null } : entitlement;
      const license = await this.issue(seller, row, { ...bought, owed, position, total, entitled });
      await this.purchases.insertLicense({
        purchaseId: row.id,
        position,
        ...slotFields(owed),
        licenseId: license.id,
        endedAt: null,
      });
      row.issuedAt ??= this.clock.now();
    }
  }

  private async issue(
    seller: Seller,
    row: PurchaseEntity,
    {
      owed,
      position,
      total,
      buyerEmail,
      refs,
      isTest,
      entitled,
    }: {
      readonly owed: LicenseOrder;
      readonly position: number;
      readonly total: number;
      readonly buyerEmail: string;
      readonly refs: readonly string[];
      readonly isTest: boolean;
      readonly entitled: Entitlement;
    },
  ): Promise<LicenseEntity> {
    const { expiresAt, suspendedFor, revokedFor } = entitled;
    const source = `${seller.processor}:${refs.toSorted().at(-1) ?? row.id}`;
    // A buyer who was refunded before the code was sent receives none.
    const isSent = revokedFor === null;
    const { license, code } = await this.lifecycle.issue({
      tenantId: seller.tenantId,
      plan: owed.plan,
      buyerEmail,
      expiresAt,
      isTest,
      maxActivations: seatsOf(owed),
      source: position === 1 ? source : `${source}/${position}`,
      initialState: { suspendedFor: [...suspendedFor], revokedAt: isSent ? null : this.clock.now(), revokedFor },
      ...(isSent ? { delivery: newDelivery() } : {}),
    });
    await this.audit.record(seller.tenantId, 'license.issued', license, { after: license });
    if (isSent) {
      await this.mails.send(license, owed.plan, code, total);
      await this.claims.add(license, code, row.paid.claimToken?.value ?? null);
    }
    return license;
  }

  /** Changes what payments changed, and nothing that the tenant did. @returns whether anything has changed, and why a payment had no effect */
  private async changeLicenses(
    { paid }: PurchaseEntity,
    slots: readonly LockedSlot[],
    change: Assignment<LockedSlot> | null,
    notified: PurchaseChange,
  ): Promise<{ readonly reason: string | null; readonly isChanged: boolean }> {
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
      const next = { endedAt, ...(owed === null ? {} : slotFields(owed)) };
      if (change !== null) await this.purchases.saveLicense(Object.assign(slot.row, next));
    }
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
    Object.assign(change, changeByOrder(license, row, owed));
    const token = paid.claimToken?.value;
    if (token !== undefined && token !== before.claimToken?.value) await this.claims.setToken(license.id, token);
    if (Object.keys(change).length === 0) return false;
    const former = { ...license };
    const after = await this.licenses.change(license, change);
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

const addressIn = ({ recipient, email }: PaymentRecord): string | undefined => (recipient ?? email)?.value;

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Lemon Squeezy numbers orders, subscriptions and invoices each from one, so that a number alone may be that of another buyer's. */
const isOfBuyer = ({ source, buyerEmail }: LicenseEntity, email: string | null): boolean =>
  !/:\d+$/.test(source) || buyerEmail === email;

/** Columns of the row that describe a license's order. */
const slotFields = ({ plan, units, isOnce, products }: LicenseOrder) => ({ planId: plan.id, units, isOnce, products });

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

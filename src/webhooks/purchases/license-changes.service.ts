import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Clock } from '../../common/system/index.js';
import {
  LicenseLifecycleService,
  LicensesRepository,
  type LicenseChange,
  type LicenseEntity,
} from '../../licensing/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { type BoughtPart, entitlementOf, newRevocation, type PaymentRecord, recordFor } from '../ledger/index.js';
import { ContinuedLicensesService } from './continued-licenses.service.js';
import {
  changeByOrder,
  changeByPayments,
  endedBy,
  isAwaitingPayment,
  licenseAction,
  whyPaymentHadNoEffect,
} from './license-change.js';
import { slotFields, type Assignment, type LicenseOrder } from './licenses-owed.js';
import type { LockedSlot, PurchaseChange } from './purchase-change.js';
import type { PurchaseLicenseRow } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';
import { SharedLicensesService } from './shared-licenses.service.js';

/** Licenses that purchases have: what their payments change. Every method runs inside its caller's transaction. */
@Injectable()
export class LicenseChangesService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly purchases: PurchasesRepository,
    private readonly shared: SharedLicensesService,
    private readonly continued: ContinuedLicensesService,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly audit: AuditLog,
  ) {}

  /** Changes what payments changed, and nothing that the tenant did. @returns whether anything has changed, and why a payment had no effect */
  async change(
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
      const slotChange = await this.changeSlot(slot, { endedAt, owed, paid, notified });
      if (slotChange.isChanged) isChanged = true;
      if (slotChange.reason !== null) reasons.push(slotChange.reason);
      Object.assign(slot.row, { endedAt, ...(owed === null ? {} : slotFields(owed)) });
    }
    if (change !== null) await this.purchases.saveLicenses(slots.map((slot) => slot.row));
    return { reason: reasons.length === 0 ? null : reasons.join(' '), isChanged };
  }

  /** Changes the license of a purchase, unless another purchase pays for it. @returns whether it has changed, and why a payment had no effect */
  private async changeSlot(slot: LockedSlot, update: LicenseUpdate): Promise<SlotChange> {
    const { license, row } = slot;
    if (license === null) return { reason: null, isChanged: false };
    const { endedAt, owed, paid, notified } = update;
    const payer = await this.shared.payerOf(slot, notified);
    const isOwn = payer === 'this';
    const isChanged = isOwn ? await this.changeLicense(license, row, update) : payer === 'handed';
    if (endedAt !== null) return { reason: null, isChanged };
    const reason = isOwn ? whyNotRenewed(license, owed ?? row, paid, notified) : this.shared.whyInVain(slot, notified);
    if (reason !== null) await this.lifecycle.addEvent(license, 'payment_on_ended_license', reason);
    return { reason, isChanged };
  }

  /** @returns whether it has changed */
  private async changeLicense(
    license: LicenseEntity,
    row: PurchaseLicenseRow,
    { endedAt, owed, paid, notified }: LicenseUpdate,
  ): Promise<boolean> {
    const { before, email } = notified;
    const grace = this.config.dunningGraceDays;
    const entitled = endedBy(entitlementOf(paid, grace, owed ?? row), endedAt);
    const change: Mutable<LicenseChange> = changeByPayments(
      license,
      endedBy(entitlementOf(before, grace, row), row.endedAt),
      entitled,
      newRevocation(before, paid),
      entitled.renews ? await this.leewayOf(license, owed) : 0,
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

  /** Hours that a license waits for its renewal: those under which it was issued, or those of the plan that it gets or has no hours of yet. */
  private async leewayOf(
    { tenantId, planId, renewalLeewayHours }: LicenseEntity,
    owed: LicenseOrder | null,
  ): Promise<number> {
    const isMoved = owed?.plan != null && owed.plan.id !== planId;
    if (renewalLeewayHours !== null && !isMoved) return renewalLeewayHours;
    const plan = owed?.plan ?? (await this.shared.findPlan(tenantId, planId));
    return plan?.renewalLeewayHours ?? this.config.renewalLeewayHours;
  }
}

interface SlotChange {
  /** Why a payment had no effect; null when it had, or none came. */
  readonly reason: string | null;
  readonly isChanged: boolean;
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

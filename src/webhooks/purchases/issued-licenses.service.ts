import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Clock } from '../../common/system/index.js';
import {
  CodeClaimsService,
  CodeMailsService,
  LicenseLifecycleService,
  newDelivery,
  type NewLicense,
} from '../../licensing/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { termOf, type LicenseTerm } from '../../licensing/pure.js';
import { entitlementOf, type PaymentRecord } from '../ledger/index.js';
import type { Seller } from '../seller.js';
import { ContinuedLicensesService } from './continued-licenses.service.js';
import { leewayOf, seatsOf } from './license-change.js';
import { slotFields, type LicenseOrder } from './licenses-owed.js';
import { orderOf, refOf } from './mailed-order.js';
import { NEW_SLOT } from './purchase.entity.js';
import type { LicenseIssue, PurchaseChange } from './purchase-change.js';
import { PurchasesRepository } from './purchases.repository.js';

/** One of these licenses. */
interface OwedLicense {
  readonly notified: PurchaseChange;
  readonly owed: LicenseOrder;
  readonly position: number;
  /** The number of licenses in the purchase. */
  readonly licenseCount: number;
  readonly wanted: NewLicense;
}

/** Issues the licenses of purchases, of all together in a handful of statements. */
@Injectable()
export class IssuedLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly purchases: PurchasesRepository,
    private readonly continued: ContinuedLicensesService,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly mails: CodeMailsService,
    private readonly claims: CodeClaimsService,
    private readonly audit: AuditLog,
  ) {}

  /** Issues the licenses of purchases that continue none, and mails their codes, inside its caller's transaction. */
  async issueAll(seller: Seller, issues: readonly LicenseIssue[]): Promise<void> {
    for (const round of roundsOf(issues))
      await this.issueRound(seller, await this.continued.continueAll(seller, round));
  }

  private async issueRound(seller: Seller, issues: readonly LicenseIssue[]): Promise<void> {
    const owed = issues.flatMap((issue) => this.owedBy(seller, issue));
    const issued = await this.lifecycle.issueAll(owed.map(({ wanted }) => wanted));
    const licenses = owed.flatMap((one, at) => {
      const made = issued[at];
      return made === undefined ? [] : [{ ...one, ...made, plan: one.owed.plan }];
    });
    const recorded = licenses.map(({ license }) => ({ subject: license, after: license }));
    await this.audit.recordAll(seller.tenantId, 'license.issued', recorded);
    // A buyer who was refunded before the code was sent receives none.
    const sent = licenses.filter(({ license }) => license.deliveryId !== null);
    await this.mails.sendAll(
      seller.tenantId,
      sent.map((one) => ({ ...one, order: orderOf(one.notified) })),
    );
    await this.claims.addAll(
      sent.map((one) => ({ ...one, tokenDigest: one.notified.row.paid.claimToken?.value ?? null })),
    );
    await this.purchases.saveLicenses(
      licenses.map((one) => ({
        purchaseId: one.notified.row.id,
        position: one.position,
        ...slotFields(one.owed),
        licenseId: one.license.id,
        ...NEW_SLOT,
      })),
    );
    for (const { notified } of licenses) notified.row.issuedAt ??= this.clock.now();
    await this.purchases.saveIssues(issues.map(({ notified }) => notified.row));
  }

  /** The term of a license that was sold once, by its plan. A subscription has an end of its own, or none. */
  private termOf(
    { isSubscription, purchasedAt }: PaymentRecord,
    { isOnce, plan }: LicenseOrder,
    paidUntil: Date | null,
  ): LicenseTerm {
    if (paidUntil !== null || (!isOnce && isSubscription)) return { expiresAt: paidUntil, duration: null };
    return termOf(plan, purchasedAt === null ? this.clock.now() : new Date(purchasedAt));
  }

  private owedBy(seller: Seller, { notified, slots, orders, buyerEmail }: LicenseIssue): readonly OwedLicense[] {
    const { row, handling } = notified;
    const first = Math.max(0, ...slots.map(({ position }) => position)) + 1;
    const licenseCount = slots.filter(({ isEnded }) => !isEnded).length + orders.length;
    const source = `${seller.processor}:${refOf(notified)}`;
    // A license that is active although its payments revoke it was reinstated by the tenant.
    const isReinstated = slots.some(
      ({ row: slot, license }) => slot.passedAt === null && license !== null && license.revokedAt === null,
    );
    return orders.map((owed, index) => {
      const position = first + index;
      const entitlement = entitlementOf(row.paid, this.config.dunningGraceDays, owed);
      const revokedFor = isReinstated ? null : entitlement.revokedFor;
      const isSent = revokedFor === null;
      const leewayHours = owed.plan.renewalLeewayHours ?? this.config.renewalLeewayHours;
      const wanted = {
        tenantId: seller.tenantId,
        plan: owed.plan,
        buyerEmail,
        ...this.termOf(row.paid, owed, entitlement.expiresAt),
        renewalLeewayHours: leewayOf(entitlement, entitlement.expiresAt, leewayHours),
        isTest: handling.isTest,
        maxActivations: seatsOf(owed),
        source: position === 1 ? source : `${source}/${position}`,
        initialState: {
          suspendedFor: [...entitlement.suspendedFor],
          revokedAt: isSent ? null : this.clock.now(),
          revokedFor,
        },
        ...(isSent ? { delivery: newDelivery() } : {}),
      };
      return { notified, owed, position, licenseCount, wanted };
    });
  }
}

/** Purchases of one buyer one after the other, in the order in which they were bought: each may continue the license of the one before. */
function roundsOf(issues: readonly LicenseIssue[]): readonly (readonly LicenseIssue[])[] {
  const rounds: LicenseIssue[][] = [];
  const boughtAt = ({ notified }: LicenseIssue): string => notified.row.paid.purchasedAt ?? '';
  for (const issue of issues.toSorted((one, other) => (boughtAt(one) < boughtAt(other) ? -1 : 1))) {
    const round = rounds.find((each) => each.every(({ buyerEmail }) => buyerEmail !== issue.buyerEmail));
    if (round === undefined) rounds.push([issue]);
    else round.push(issue);
  }
  return rounds;
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import {
  CodeClaimsService,
  CodeMailsService,
  LicensesRepository,
  LicensePlansService,
  type LicenseChange,
  type LicenseEntity,
} from '../licensing/index.js';
import type { ProcessorId } from '../payments/index.js';
import { EventsService } from '../registry/index.js';
import {
  entitlementOf,
  itemsOf,
  namedPlan,
  plansNamedIn,
  productsOf,
  type Entitlement,
  type PaidLicense,
} from './apply-payment.js';
import { changeByPayments, endedThoughPaid } from './license-change.js';
import { assign, licensesOwed, type Assignment, type Order, type Owed, type Slot } from './licenses-owed.js';
import { PurchaseEntity, PurchaseLicenseEntity, PurchaseRefEntity } from './purchase.entity.js';

/** Whose purchases they are. */
export interface Seller {
  readonly tenantId: string;
  readonly processor: ProcessorId;
}

/** What became of a purchase. */
export type Settled =
  /** With a reason when it did not do what its sender must have meant. */
  | { readonly status: 'handled'; readonly purchaseId: string; readonly reason: string | null }
  | { readonly status: 'unmapped' | 'waiting'; readonly purchaseId: string; readonly reason: string };

/** What a notification adds to a purchase. */
interface Told {
  /** What payments said until now. */
  readonly said: PaidLicense;
  /** When a payment was made that it tells of; null when it tells of none. */
  readonly paidAt: Date | null;
  readonly email: string | null;
  /** The tenant wants it looked at with the plans as they are now. */
  readonly isReplay: boolean;
}

/** A license of a purchase, locked; null when its tenant has deleted it. */
interface Held extends Slot {
  readonly row: PurchaseLicenseEntity;
  readonly license: LicenseEntity | null;
}

/** The licenses that purchases make. Every method runs inside its caller's transaction. */
@Injectable()
export class PurchaseLicenses {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly plans: LicensePlansService,
    private readonly licenses: LicensesRepository,
    private readonly mails: CodeMailsService,
    private readonly claims: CodeClaimsService,
    private readonly events: EventsService,
  ) {}

  /** Lets a purchase's licenses become what the payments say. */
  async settle(seller: Seller, row: PurchaseEntity, told: Told): Promise<Settled> {
    const purchaseId = row.id;
    if (row.paid.purchasedAt === null) return { status: 'handled', purchaseId, reason: null };
    const held = await this.held(seller, purchaseId);
    // Plans may have other products by now: that moves nobody who bought before, unless the tenant asks for it.
    const isDecided = held.length > 0 && row.unmapped === null && !told.isReplay && isSameOrder(told.said, row.paid);
    const order = isDecided ? null : await this.orderOf(seller, row.paid);
    const change = order === null ? null : assign(held, order.licenses, order.unmapped === null);
    const reason = await this.follow(row, held, change, told);
    if (order === null || change === null) return { status: 'handled', purchaseId, reason };
    if (change.issued.length > 0 && told.email === null)
      return { status: 'waiting', purchaseId, reason: WAITING_REASON };
    if (told.email !== null) await this.issueAll(seller, row, held, change.issued, told.email);
    await this.tx.repository(PurchaseEntity).save(Object.assign(row, { unmapped: order.unmapped }));
    return order.unmapped === null
      ? { status: 'handled', purchaseId, reason }
      : { status: 'unmapped', purchaseId, reason: order.unmapped };
  }

  /** Two purchases turned out to be one, which has the licenses of both. */
  async join(purchaseId: string, joined: readonly string[]): Promise<void> {
    await this.tx.query(
      `update purchase_license moved set purchase_id = $1, position = found.next
        from (select purchase_id, position, row_number() over (order by purchase_id, position)
            + (select coalesce(max(position), 0) from purchase_license where purchase_id = $1) as next
          from purchase_license where purchase_id = any($2)) found
        where moved.purchase_id = found.purchase_id and moved.position = found.position`,
      [purchaseId, joined],
    );
  }

  private async orderOf({ tenantId, processor }: Seller, paid: PaidLicense): Promise<Order> {
    const plans = await this.plans.soldBy(tenantId, {
      processor,
      planIds: plansNamedIn(paid),
      productIds: productsOf(paid),
    });
    return licensesOwed(paid, plans);
  }

  private async held({ tenantId }: Seller, purchaseId: string): Promise<readonly Held[]> {
    const rows = await this.tx
      .repository(PurchaseLicenseEntity)
      .find({ where: { purchaseId }, order: { position: 'ASC' } });
    const held: Held[] = [];
    for (const row of rows) {
      const license = row.licenseId === null ? null : await this.licenses.lock(tenantId, row.licenseId);
      const { position, planId } = row;
      held.push({
        row,
        license,
        position,
        planId,
        extensionId: license?.extensionId ?? null,
        isEnded: row.endedAt !== null,
      });
    }
    return held;
  }

  private async issueAll(
    seller: Seller,
    row: PurchaseEntity,
    held: readonly Held[],
    wanted: readonly Owed[],
    buyerEmail: string,
  ): Promise<void> {
    const first = Math.max(0, ...held.map(({ position }) => position)) + 1;
    const total = held.filter(({ isEnded }) => !isEnded).length + wanted.length;
    for (const [index, owed] of wanted.entries()) {
      const position = first + index;
      const license = await this.issue(seller, row, { owed, position, total, buyerEmail });
      await this.tx.repository(PurchaseLicenseEntity).insert({
        purchaseId: row.id,
        position,
        planId: owed.plan.id,
        units: owed.units,
        licenseId: license.id,
        endedAt: null,
      });
      row.licenseId ??= license.id;
      row.issuedAt ??= this.clock.now();
    }
  }

  private async issue(
    seller: Seller,
    row: PurchaseEntity,
    wanted: { readonly owed: Owed; readonly position: number; readonly total: number; readonly buyerEmail: string },
  ): Promise<LicenseEntity> {
    const { owed, position, total, buyerEmail } = wanted;
    const { expiresAt, suspendedFor, revokedFor } = entitlementOf(row.paid, this.config.dunningGraceDays);
    const [named] = await this.tx
      .repository(PurchaseRefEntity)
      .find({ where: { ...seller, purchaseId: row.id }, order: { ref: 'DESC' }, take: 1 });
    const source = `${seller.processor}:${named?.ref ?? row.id}`;
    const { license, code } = await this.licenses.issue({
      tenantId: seller.tenantId,
      plan: owed.plan,
      buyerEmail,
      expiresAt,
      maxActivations: seatsOf(owed),
      source: position === 1 ? source : `${source}/${position}`,
    });
    if (suspendedFor.length > 0 || revokedFor !== null)
      await this.licenses.change(license, {
        suspendedFor: [...suspendedFor],
        revokedAt: revokedFor === null ? null : this.clock.now(),
        revokedFor,
      });
    // Whoever was refunded before the code could go out is sent none.
    if (revokedFor === null) {
      await this.mails.send(license, code, total);
      await this.claims.keep(license, code, row.paid.claimToken?.value ?? null);
    }
    return license;
  }

  /** Changes what payments changed, and nothing that the tenant did. @returns why a payment did not help, if it did not */
  private async follow(
    { paid }: PurchaseEntity,
    held: readonly Held[],
    change: Assignment<Held> | null,
    told: Told,
  ): Promise<string | null> {
    const reasons: string[] = [];
    for (const slot of held) {
      const owed = change?.kept.find((one) => one.slot === slot)?.owed ?? null;
      const isEnding = change?.ended.includes(slot) === true;
      const endedAt = owed !== null ? null : isEnding ? this.clock.now() : slot.row.endedAt;
      if (slot.license !== null) {
        await this.changeLicense(slot.license, slot.row, { endedAt, owed, paid, told });
        const reason = endedAt === null ? endedThoughPaid(slot.license, told.said, paid, told.paidAt) : null;
        if (reason !== null) {
          await this.tell(slot.license, reason);
          reasons.push(reason);
        }
      }
      const next = { endedAt, ...(owed === null ? {} : { planId: owed.plan.id, units: owed.units }) };
      if (change !== null) await this.tx.repository(PurchaseLicenseEntity).save(Object.assign(slot.row, next));
    }
    return reasons.length === 0 ? null : reasons.join(' ');
  }

  private async changeLicense(
    license: LicenseEntity,
    row: PurchaseLicenseEntity,
    { endedAt, owed, paid, told: { said, email } }: Next,
  ): Promise<void> {
    const grace = this.config.dunningGraceDays;
    const change: Mutable<LicenseChange> = changeByPayments(
      license,
      endedBy(entitlementOf(said, grace), row.endedAt),
      endedBy(entitlementOf(paid, grace), endedAt),
      this.clock.now(),
    );
    if (email !== null && email !== license.buyerEmail && said.email?.value !== paid.email?.value)
      change.buyerEmail = email;
    Object.assign(change, changeByOrder(license, row, owed));
    const token = paid.claimToken?.value;
    if (token !== undefined && token !== said.claimToken?.value) await this.claims.setToken(license.id, token);
    if (Object.keys(change).length > 0) await this.licenses.change(license, change);
  }

  private tell({ id, extensionId, planId }: LicenseEntity, message: string): Promise<void> {
    const data = { licenseId: id, planId };
    return this.events.append({ extensionId, kind: 'payment_on_ended_license', message, data });
  }
}

/** What a license of a purchase is to become. */
interface Next {
  readonly endedAt: Date | null;
  /** What it is for; null when nothing was decided anew. */
  readonly owed: Owed | null;
  readonly paid: PaidLicense;
  readonly told: Told;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const WAITING_REASON =
  'No e-mail address is known for this purchase. It goes on by itself once the processor tells one: subscribe the webhook to customer events, or put `email` into the custom data at checkout.';

/** As many as the plan says, unless more were bought. */
const seatsOf = ({ plan, units }: Owed): number | null => (units === 1 ? null : units * plan.maxActivations);

/** The plan and the devices of a license, where what it is for has changed. */
function changeByOrder(license: LicenseEntity, row: PurchaseLicenseEntity, owed: Owed | null): LicenseChange {
  if (owed === null) return {};
  const isMoved = owed.plan.id !== license.planId;
  const isResized = owed.units !== row.units || (isMoved && owed.units > 1);
  return {
    ...(isMoved ? { planId: owed.plan.id } : {}),
    ...(isResized ? { maxActivations: seatsOf(owed) } : {}),
  };
}

const endedBy = (entitlement: Entitlement, endedAt: Date | null): Entitlement =>
  endedAt === null || (entitlement.expiresAt !== null && entitlement.expiresAt < endedAt)
    ? entitlement
    : { ...entitlement, expiresAt: endedAt };

/** Whether a purchase is still for the same. */
const isSameOrder = (before: PaidLicense, after: PaidLicense): boolean => orderIn(before) === orderIn(after);
const orderIn = (paid: PaidLicense): string => JSON.stringify([namedPlan(paid), itemsOf(paid), paid.offerId?.value]);

import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Clock } from '../../common/system/index.js';
import {
  LicenseLifecycleService,
  LicensesRepository,
  LicensePlansService,
  type LicenseEntity,
  type SoldPlan,
} from '../../licensing/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import type { PaymentRecord } from '../ledger/index.js';
import { licenseAction } from './license-change.js';
import { heldTurn, holderOf, inOrder, goesOn, nextOf, paidTurn, type Turn } from './license-turns.js';
import type { LockedSlot, PurchaseChange } from './purchase-change.js';
import { PurchasesRepository, type PurchaseTurn } from './purchases.repository.js';
import type { PurchaseLicenseRow } from './purchase.entity.js';
import { seatsGiven, stateBefore, stateOf } from './turn-state.js';

/** A purchase's turn, with its row. */
export type OwnTurn = Turn & PurchaseTurn;

/** Licenses that several purchases have paid for: who pays for them now. Every method runs inside its caller's transaction. */
@Injectable()
export class SharedLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly purchases: PurchasesRepository,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly plans: LicensePlansService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Leaves the licenses that a purchase has passed on, and still pays for: it is owed others.
   * @returns whether it did
   */
  async leave(slots: readonly LockedSlot[], paid: PaymentRecord): Promise<boolean> {
    const left = slots.filter(({ row, license, others }) => {
      if (row.passedAt === null || row.leftAt !== null || license === null) return false;
      const own = this.turnOf({ row, paid }, license);
      return goesOn(own, [own, ...others.map((one) => this.turnOf(one, license))]);
    });
    const leftAt = this.clock.now();
    await this.purchases.saveLicenses(left.map(({ row }) => Object.assign(row, { leftAt })));
    return left.length > 0;
  }

  /**
   * Finds who pays for a license, and hands it over where a purchase gives it back or takes it again.
   * @returns `handed` when the license has become what its new payer says
   */
  async payerOf(
    { row, license, others }: LockedSlot,
    { row: { paid }, before }: PurchaseChange,
  ): Promise<'this' | 'another' | 'handed'> {
    if (license === null || (others.length === 0 && row.former === null))
      return row.passedAt === null ? 'this' : 'another';
    const own = this.turnOf({ row, paid }, license, before);
    const turns = [own, ...others.map((one) => this.turnOf(one, license))];
    const wasUnpaid = turns.some((turn) => turn.row.former?.wasUnpaid === true);
    const holder = holderOf(turns, wasUnpaid);
    const current = turns.find((turn) => turn.row.passedAt === null) ?? null;
    if (holder === current) return holder === own ? 'this' : 'another';
    await this.handOver(license, turns, current, holder);
    return 'handed';
  }

  /** Why a payment does nothing for a license that another purchase has upgraded; null when none came. */
  whyInVain({ row, license, others }: LockedSlot, { row: { paid }, paidAt }: PurchaseChange): string | null {
    if (license === null || paidAt === null || row.leftAt !== null) return null;
    const own = this.turnOf({ row, paid }, license);
    const next = nextOf(own, [own, ...others.map((one) => this.turnOf(one, license))]);
    return next?.origin === 'upgraded' && paidAt.toISOString() > next.boughtAt
      ? `A payment for a further period arrived, but another purchase has upgraded the license …${license.codeHint}. End the subscription, and refund the payment.`
      : null;
  }

  /** Finds a plan of the tenant; null when it was deleted. */
  async findPlan(tenantId: string, planId: string | null): Promise<SoldPlan | null> {
    if (planId === null) return null;
    const sold = await this.plans.findSold(tenantId, { processor: '', planIds: [planId], productIds: [] });
    return sold.byId(planId);
  }

  /** The turn of a purchase with a license. @param applied the payments that the license follows already */
  turnOf({ row, paid }: PurchaseTurn, license: LicenseEntity, applied = paid): OwnTurn {
    const facts =
      row.passedAt === null
        ? heldTurn({ part: row, paid, applied, license, graceDays: this.config.dunningGraceDays })
        : paidTurn(paid, row);
    // What was sold once without an end ended when it was passed on, at the latest.
    const until = facts.until ?? (paid.isSubscription && !row.isOnce ? null : (row.passedAt?.toISOString() ?? null));
    return { row, paid, id: `${row.purchaseId}/${row.position}`, origin: row.origin, ...facts, until };
  }

  private async handOver(
    license: LicenseEntity,
    turns: readonly OwnTurn[],
    from: OwnTurn | null,
    to: OwnTurn | null,
  ): Promise<void> {
    const now = this.clock.now();
    const rows: PurchaseLicenseRow[] = [];
    if (from !== null) rows.push(Object.assign(from.row, { passedAt: now }));
    if (to !== null) rows.push(Object.assign(to.row, { passedAt: null }));
    // As it was when it was last in that turn; a purchase that is told late may never have had it.
    const formers = inOrder(turns).flatMap(({ row }) => row.former ?? []);
    const former = formers.findLast(({ turn }) => turn === (to?.id ?? null)) ?? null;
    const plan = await this.findPlan(license.tenantId, to === null ? (former?.planId ?? null) : to.row.planId);
    const seats = former === null ? seatsGiven(license, from?.row) : former.maxActivations;
    const change =
      to === null
        ? former === null
          ? {}
          : stateBefore(license, plan, former)
        : stateOf(license, to, { plan, former, seats, now, terms: this.config });
    const before = { ...license };
    const after = await this.licenses.change(license, change);
    await this.purchases.saveLicenses(rows);
    await this.lifecycle.addEvent(
      license,
      'license_handed_over',
      `License …${license.codeHint} is paid for by another purchase now.`,
    );
    await this.audit.record(license.tenantId, licenseAction(before, after), after, { before, after });
  }
}

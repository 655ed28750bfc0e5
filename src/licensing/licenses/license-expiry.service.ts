import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { Hook, Transactions } from '../../common/database/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { dueAtEnd, LicenseEventsService } from '../events/index.js';
import { LicensePlansRepository, type NoticeDays } from '../plans/index.js';
import type { LicenseEntity } from './license.entity.js';
import { statusOf } from './license-status.js';
import { LicensesRepository } from './licenses.repository.js';
import { PurchaseLookup } from './purchase-lookup.js';

/** Licenses of one transaction. */
const PAGE = 500;

/** A license that ends in a few days. */
export interface EndingLicense {
  readonly license: LicenseEntity;
  /** Days before its end on which a notice is due now: several after an outage. */
  readonly notices: readonly NoticeDays[];
}

/** Tells which licenses expire soon, unless they are about to be renewed, and which have expired: each once, however many processes look. */
@Injectable()
export class LicenseExpiryService {
  /** Runs with the active licenses that end soon, in the transaction that notes that they have been told. */
  readonly ending = new Hook<readonly EndingLicense[]>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly config: Config,
    private readonly licenses: LicensesRepository,
    private readonly plans: LicensePlansRepository,
    private readonly purchases: PurchaseLookup,
    private readonly events: LicenseEventsService,
  ) {}

  /** Tells what is due, in pages. */
  @Interval('license-expiry', MINUTE_MS)
  async check(): Promise<void> {
    while ((await this.tx.run(() => this.tellPage())) === PAGE);
  }

  /** @returns how many were due */
  private async tellPage(): Promise<number> {
    const now = this.clock.now();
    const due = await this.licenses.takeExpiring(now, PAGE);
    const renewing = await this.renewingOf(due);
    const decided = due.map((license) => ({ license, ...dueAtEnd(license, now, renewing.has(license.id)) }));
    await this.licenses.planExpiryEvents(
      decided.map(({ license: { id, renewalLeewayHours }, next }) => ({ id, renewalLeewayHours, next })),
    );
    await this.events.tell(
      decided.flatMap(({ license: { id }, told }) => (told === null ? [] : [{ licenseId: id, ...told }])),
    );
    const ending = decided.filter(({ license, notices }) => notices.length > 0 && statusOf(license, now) === 'active');
    if (ending.length > 0) await this.ending.run(ending);
    return due.length;
  }

  /**
   * Finds the licenses that a subscription renews before they end: at a later end than the paid one, which the seller chose, or as bought before
   * 1.1.0. The latter get the leeway that a license gets with its payments since.
   * @returns their ids
   */
  private async renewingOf(due: readonly LicenseEntity[]): Promise<ReadonlySet<string>> {
    const unknown = due.filter(
      ({ renewalLeewayHours, revokedAt }) => renewalLeewayHours === null && revokedAt === null,
    );
    const paidUntil = await this.purchases.renewing(unknown.map(({ id }) => id));
    const found = unknown.filter(({ id }) => paidUntil.has(id));
    const plans = await this.plans.findByIds(new Set(found.map(({ planId }) => planId)));
    for (const license of found)
      if (license.expiresAt?.getTime() === paidUntil.get(license.id)?.getTime())
        license.renewalLeewayHours = plans.get(license.planId)?.renewalLeewayHours ?? this.config.renewalLeewayHours;
    return new Set(paidUntil.keys());
  }
}

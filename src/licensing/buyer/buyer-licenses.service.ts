import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { LicenseEventsService } from '../events/index.js';
import type { LicenseEnd } from '../plans/index.js';
import { SeatsRepository } from '../seats/index.js';
import {
  devicesAllowed,
  LicenseLifecycleService,
  LicensesRepository,
  type LicenseStatus,
  type PaymentPages,
  PurchaseLookup,
  statusOf,
} from '../licenses/index.js';

/** A license as its buyer sees it. */
export interface BuyerLicense extends LicenseEnd, Omit<PaymentPages, 'licenseId'> {
  readonly id: string;
  readonly tenantId: string;
  readonly extensionName: string;
  readonly tier: string;
  readonly status: LicenseStatus;
  readonly codeHint: string;
  readonly maxActivations: number;
  /** The devices that hold a seat, the earliest first. */
  readonly devices: readonly { readonly id: string; readonly label: string | null; readonly lastSeenAt: Date }[];
}

/** Licenses for their buyers, across all tenants. The caller has verified that the address is the buyer's. */
@Injectable()
export class BuyerLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly seats: SeatsRepository,
    private readonly purchases: PurchaseLookup,
    private readonly events: LicenseEventsService,
  ) {}

  /** Lists the newest licenses of an address over all tenants. @param email in lower case, here as below */
  async list(email: string, limit: number): Promise<readonly BuyerLicense[]> {
    const rows = await this.licenses.listOfBuyer(email, limit);
    const ids = rows.map(({ id }) => id);
    const seats = await this.seats.listLive(ids);
    const pages = new Map((await this.purchases.pagesOf(ids)).map((page) => [page.licenseId, page]));
    const now = this.clock.now();
    return rows.map((row) => ({
      id: row.id,
      tenantId: row.tenantId,
      extensionName: row.extension?.name ?? '',
      tier: row.plan?.tier ?? '',
      status: statusOf(row, now),
      codeHint: row.codeHint,
      expiresAt: row.expiresAt,
      graceDays: row.graceDays,
      onEnd: row.onEnd,
      maxActivations: devicesAllowed(row.maxActivations, row.plan?.maxActivations ?? 0),
      devices: seats
        .filter(({ licenseId }) => licenseId === row.id)
        .map(({ id, label, lastSeenAt }) => ({ id, label, lastSeenAt })),
      receiptUrl: pages.get(row.id)?.receiptUrl ?? null,
      portalUrl: pages.get(row.id)?.portalUrl ?? null,
    }));
  }

  /** Frees a seat. Repeating it changes nothing. @returns false when the buyer has no such license */
  async freeSeat(email: string, licenseId: string, seatId: string): Promise<boolean> {
    return this.tx.run(async () => {
      const license = await this.licenses.findOfBuyerForUpdate(email, licenseId);
      if (license === null) return false;
      if ((await this.seats.freeById(license.id, seatId, this.clock.now())) === true)
        await this.events.tell([{ kind: 'license.seat_freed', licenseId, reason: 'buyer' }]);
      return true;
    });
  }

  /**
   * Replaces the code; devices keep their seats.
   * @param codeHint the last characters of the code to replace, so that a repeated request does not replace the new code
   * @returns the new code, and the tenant whose license it is for; null when the buyer has no such license, it is revoked, or its code has another hint
   */
  async rotate(
    email: string,
    licenseId: string,
    codeHint: string,
  ): Promise<{ readonly code: string; readonly tenantId: string } | null> {
    return this.tx.run(async () => {
      const license = await this.licenses.findOfBuyerForUpdate(email, licenseId);
      if (license === null || license.revokedAt !== null || license.codeHint !== codeHint) return null;
      const code = await this.lifecycle.replaceCode(license);
      const message = `The buyer replaced the code …${codeHint} by …${license.codeHint}.`;
      await this.lifecycle.addEvent(license, 'license_rotated', message);
      return { code, tenantId: license.tenantId };
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { TextRange } from '../../common/fields/index.js';
import { Config } from '../../common/config/index.js';
import { Clock } from '../../common/system/index.js';
import { PurchaseLookup, type PaymentPages } from '../../licensing/index.js';
import { entitlementOf } from '../ledger/index.js';
import { PurchaseLookupRepository } from './purchase-lookup.repository.js';

/** Answers what licensing asks about purchases. */
@Injectable()
export class PurchaseLookupService extends PurchaseLookup {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly purchases: PurchaseLookupRepository,
  ) {
    super();
  }

  override licenseIdsOf(tenantId: string, orders: TextRange | null, names: string | null): Promise<readonly string[]> {
    return this.purchases.licenseIdsOf(tenantId, orders, names);
  }

  override nameOf(tenantId: string, email: string): Promise<string | null> {
    return this.purchases.nameOf(tenantId, email);
  }

  override async renewing(licenseIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    if (licenseIds.length === 0) return new Map();
    const found = new Map<string, Date>();
    for (const { licenseId, paid, ...part } of await this.purchases.subscribed(licenseIds)) {
      const { renews, expiresAt } = entitlementOf(paid, this.config.dunningGraceDays, part);
      const known = found.get(licenseId);
      if (renews && expiresAt !== null && (known === undefined || known < expiresAt)) found.set(licenseId, expiresAt);
    }
    return found;
  }

  /** Leaves out receipts whose signed link has expired. */
  override async pagesOf(licenseIds: readonly string[]): Promise<readonly PaymentPages[]> {
    const now = this.clock.now();
    const pages = await this.purchases.findPages(licenseIds);
    return pages.map(({ receiptUrl, ...page }) => ({
      ...page,
      receiptUrl: receiptUrl !== null && isOpen(receiptUrl, now) ? receiptUrl : null,
    }));
  }
}

/** Whether a link still works: a signed one may carry the time at which it expires, in Unix seconds. */
function isOpen(url: string, now: Date): boolean {
  const expires = new URL(url).searchParams.get('expires');
  return expires === null || Number(expires) * 1000 > now.getTime();
}

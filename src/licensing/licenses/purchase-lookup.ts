import type { TextRange } from '../../common/fields/index.js';

/** The processor's pages for a license; null where none is known. */
export interface PaymentPages {
  readonly licenseId: string;
  /** The page of the last payment. */
  readonly receiptUrl: string | null;
  /** The page where the buyer manages the subscription. */
  readonly portalUrl: string | null;
}

/** Questions of licensing about purchases, which it does not know itself. The folder that keeps purchases provides it. */
export abstract class PurchaseLookup {
  /**
   * Finds the licenses of a tenant's orders.
   * @param orders their ids, from the first to the last in the order of bytes
   * @param names those of the newest buyers, as a `tsquery`
   */
  abstract licenseIdsOf(tenantId: string, orders: TextRange | null, names: string | null): Promise<readonly string[]>;
  /** Finds the name of the buyer with an address; null where no processor told it. */
  abstract nameOf(tenantId: string, email: string): Promise<string | null>;
  /** Until when each of the licenses is paid that a subscription renews, unless its payment fails. */
  abstract renewing(licenseIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** Finds the processors' pages for licenses. */
  abstract pagesOf(licenseIds: readonly string[]): Promise<readonly PaymentPages[]>;
}

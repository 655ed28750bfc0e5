import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { NIL_ID } from '../../common/fields/index.js';
import { LicenseLifecycleService, type LicenseEntity } from '../../licensing/index.js';
import { InboxRepository } from './inbox.repository.js';
import { PurchasesRepository } from '../purchases/index.js';

/** Notifications searched by one statement: a tenant may have very many. */
const SEARCHED_AT_ONCE = 2000;

/**
 * Erases a buyer with the last license: from purchases, customers and notifications, in the transaction that erases the license. The
 * processor's ids stay, so that Pierhead recognizes later notifications about an erased buyer.
 */
@Injectable()
export class BuyerErasureService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly purchases: PurchasesRepository,
    private readonly inbox: InboxRepository,
  ) {}

  onModuleInit(): void {
    // A notification that is being handled would bring the buyer back; it locks the seller before its licenses, too.
    this.lifecycle.beforeEraseLock.add(({ tenantId, id }) => this.purchases.lockSellersOf(tenantId, id));
    this.lifecycle.beforeErase.add((license) => this.erase(license));
  }

  private async erase({ id: licenseId, tenantId, buyerEmail }: LicenseEntity): Promise<void> {
    const erased = await this.purchases.eraseBuyer(tenantId, licenseId, buyerEmail, this.clock.now());
    const named = erased.flatMap(({ email, recipient }) => [email, recipient]).filter((address) => address !== null);
    const emails = buyerEmail === null ? named : [buyerEmail, ...named];
    const customerIds = erased.flatMap(({ customerId }) => customerId ?? []);
    const customers = await this.purchases.deleteCustomers(tenantId, emails, customerIds);
    const quotedIds = customerIds.map((id) => `"${id.toLowerCase()}"`);
    await this.clearPayloadsContaining(tenantId, [...emails, ...customers, ...quotedIds]);
  }

  private async clearPayloadsContaining(tenantId: string, texts: readonly string[]): Promise<void> {
    for (let after: string | undefined = NIL_ID; after !== undefined;) {
      const ids = await this.inbox.idsOutsidePurchases(tenantId, after, SEARCHED_AT_ONCE);
      if (ids.length > 0) await this.inbox.clearPayloadsContaining(ids, texts);
      after = ids.length < SEARCHED_AT_ONCE ? undefined : ids.at(-1);
    }
  }
}

import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/index.js';
import { LicensesRepository } from '../../licensing/index.js';
import type { PaymentFact } from '../../payments/index.js';
import type { PaymentLedger } from '../ledger/index.js';
import type { Seller } from '../seller.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Licenses whose buyers change their address at the processor. Every method runs inside its caller's transaction. */
@Injectable()
export class BuyerAddressesService {
  constructor(
    private readonly purchases: PurchasesRepository,
    private readonly licenses: LicensesRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Moves the licenses of customers to their new addresses. A license that has another address than the customer had before keeps it: the
   * tenant, or the checkout, named it.
   */
  async follow(
    seller: Seller,
    facts: readonly PaymentFact[],
    before: PaymentLedger,
    after: PaymentLedger,
  ): Promise<void> {
    for (const fact of facts) {
      if (fact.kind !== 'customer_seen') continue;
      const { customerId } = fact;
      const former = fact.former ?? before.customers[customerId]?.value ?? null;
      const email = after.customers[customerId]?.value ?? null;
      if (former !== null && email !== null && former !== email) await this.move(seller, customerId, former, email);
    }
  }

  private async move(seller: Seller, customerId: string, former: string, email: string): Promise<void> {
    for (const id of await this.purchases.licenseIdsOfCustomer(seller, customerId)) {
      const license = await this.licenses.findForUpdate(seller.tenantId, id);
      if (license === null || license.buyerEmail !== former) continue;
      const before = { ...license };
      const after = await this.licenses.change(license, { buyerEmail: email });
      await this.audit.record(seller.tenantId, 'license.updated', after, { before, after });
    }
  }
}

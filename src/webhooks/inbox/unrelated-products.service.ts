import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/index.js';
import { Transactions } from '../../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../../common/fields/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { OwedLicensesService, PurchasesRepository, UnrelatedProductsRepository } from '../purchases/index.js';
import type { Seller } from '../seller.js';
import type { UnrelatedProduct } from '../webhooks.dto.js';
import { NoUnlistedProduct, UnrelatedProductNotFound } from '../webhooks.problems.js';

/** The products that a tenant sells with the same account, and that have nothing to do with an extension: their sales ask for nothing. */
@Injectable()
export class UnrelatedProductsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly purchases: PurchasesRepository,
    private readonly owed: OwedLicensesService,
    private readonly products: UnrelatedProductsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Lists the tenant's unrelated products, newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<UnrelatedProduct>> {
    return pageFrom(
      query,
      (start) => this.products.list(tenantId, start),
      ({ id, processor, productId, createdAt }) => ({ id, processor, productId, markedAt: createdAt }),
    );
  }

  /** Marks the products of a purchase that no plan lists. Runs inside its caller's transaction. */
  async markThoseOf(seller: Seller, purchaseId: string | null): Promise<void> {
    const purchase = purchaseId === null ? null : await this.purchases.find(seller, purchaseId);
    const unlisted = purchase === null ? [] : await this.owed.unlistedProductsIn(seller, purchase.paid);
    if (unlisted.length === 0) throw new NoUnlistedProduct();
    await this.products.mark(seller, unlisted, this.clock.now());
  }

  /** Takes the mark away from a product; its sales ask for a plan again. */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const product = orThrow(await this.products.find(tenantId, id), UnrelatedProductNotFound);
      await this.products.delete(tenantId, id);
      await this.audit.record(tenantId, 'unrelated_product.deleted', product, { before: product });
    });
  }
}

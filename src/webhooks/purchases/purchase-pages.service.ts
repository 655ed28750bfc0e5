import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { BuyerLicensesService } from '../../licensing/index.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Adds the links to receipts and subscription management at the processor to the licenses that buyers see. */
@Injectable()
export class PurchasePagesService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly licenses: BuyerLicensesService,
    private readonly purchases: PurchasesRepository,
  ) {}

  onModuleInit(): void {
    this.licenses.paymentPagesLookup.add(async ({ licenseIds, pages }) => {
      const now = this.clock.now();
      for (const found of await this.purchases.findPages(licenseIds)) {
        const { receiptUrl } = found;
        pages.push({ ...found, receiptUrl: receiptUrl !== null && isOpen(receiptUrl, now) ? receiptUrl : null });
      }
    });
  }
}

/** Whether a link still works: a signed one may carry the time at which it expires, in Unix seconds. */
function isOpen(url: string, now: Date): boolean {
  const expires = new URL(url).searchParams.get('expires');
  return expires === null || Number(expires) * 1000 > now.getTime();
}

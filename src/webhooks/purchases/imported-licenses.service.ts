import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import type { LicenseEntity } from '../../licensing/index.js';
import { withImported } from '../ledger/index.js';
import type { Seller } from '../seller.js';
import { LicenseSlotsService } from './license-slots.service.js';
import type { LockedSlot, PurchaseChange } from './purchase-change.js';
import { NEW_SLOT } from './purchase.entity.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Licenses that were imported with a processor's id as their order. Every method runs inside its caller's transaction. */
@Injectable()
export class ImportedLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly purchases: PurchasesRepository,
    private readonly slots: LicenseSlotsService,
  ) {}

  /** Adds to a purchase those of the imported licenses that are its buyer's and no other purchase's. */
  async adopt(
    seller: Seller,
    { row, email }: PurchaseChange,
    licenses: readonly LicenseEntity[],
  ): Promise<readonly LockedSlot[]> {
    if (licenses.length === 0) return [];
    const ofOthers = await this.purchases.takenAmong(licenses.map(({ id }) => id));
    const imported = licenses.filter((license) => !ofOthers.includes(license.id) && isOfBuyer(license, email));
    if (imported.length === 0) return [];
    await this.purchases.saveLicenses(
      imported.map(({ id, planId }, index) => ({
        purchaseId: row.id,
        position: index + 1,
        planId,
        units: 1,
        isOnce: false,
        products: [],
        licenseId: id,
        ...NEW_SLOT,
      })),
    );
    const paid = imported.reduce(withImported, row.paid);
    await this.purchases.save([Object.assign(row, { paid, issuedAt: this.clock.now() })]);
    return (await this.slots.findForUpdate(seller, [row.id])).get(row.id) ?? [];
  }
}

/** Lemon Squeezy numbers orders, subscriptions and invoices each from one, so that a number alone may be that of another buyer's. */
const isOfBuyer = ({ source, buyerEmail }: LicenseEntity, email: string | null): boolean =>
  !/:\d+$/.test(source) || (email !== null && buyerEmail === email);

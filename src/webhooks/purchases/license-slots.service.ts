import { Injectable } from '@nestjs/common';
import { LicensesRepository } from '../../licensing/index.js';
import type { Seller } from '../seller.js';
import type { LockedSlot } from './purchase-change.js';
import { PurchasesRepository, type SharedSlot } from './purchases.repository.js';

/** The licenses of purchases, locked. Every method runs inside its caller's transaction. */
@Injectable()
export class LicenseSlotsService {
  constructor(
    private readonly purchases: PurchasesRepository,
    private readonly licenses: LicensesRepository,
  ) {}

  /** Finds and locks the licenses of purchases, by purchase. */
  async findForUpdate(
    { tenantId }: Seller,
    purchaseIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LockedSlot[]>> {
    const rows = withoutDoubles(await this.purchases.findSlotsForUpdate(purchaseIds));
    const shared = rows.filter(({ isShared, passedAt, origin }) => isShared || passedAt !== null || origin !== 'made');
    const turns = await this.purchases.findTurnsForUpdate(idsOf(shared));
    const licenses = await this.licenses.findAllForUpdate(tenantId, idsOf(rows));
    const slots = new Map<string, LockedSlot[]>();
    for (const { isShared: _, ...row } of rows) {
      const license = licenses.find(({ id }) => id === row.licenseId) ?? null;
      const { purchaseId, position, planId, licenseId } = row;
      const others = turns.filter((turn) => turn.row.licenseId === licenseId && turn.row.purchaseId !== purchaseId);
      const slot = {
        row,
        license,
        others,
        position,
        planId,
        extensionId: license?.extensionId ?? null,
        isOnce: row.isOnce,
        isEnded: row.endedAt !== null,
        isDead: license === null || license.revokedAt !== null,
      };
      slots.set(purchaseId, [...(slots.get(purchaseId) ?? []), slot]);
    }
    return slots;
  }
}

const idsOf = (rows: readonly SharedSlot[]): readonly string[] => [
  ...new Set(rows.flatMap(({ licenseId }) => licenseId ?? [])),
];

/** Two purchases with one license may turn out to be the same purchase: it has one turn then. */
const withoutDoubles = (rows: readonly SharedSlot[]): readonly SharedSlot[] => {
  const isDouble = (one: SharedSlot, of: SharedSlot): boolean =>
    one.purchaseId === of.purchaseId && one.licenseId !== null && one.licenseId === of.licenseId;
  return rows.filter(
    (row) => row.passedAt === null || !rows.some((other) => other.passedAt === null && isDouble(other, row)),
  );
};

import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { newRow, Transactions, Hook } from '../../common/database/index.js';
import { CodeDigests } from '../codes/code-digests.js';
import { PlanEntity } from '../plans/plan.entity.js';
import { ISSUED_BY_HAND, LicenseEntity, type Delivery } from './license.entity.js';
import type { Suspension } from './license-status.js';

/** What a new license is to be. */
export interface NewLicense {
  readonly tenantId: string;
  readonly plan: Pick<PlanEntity, 'id' | 'extensionId'>;
  readonly buyerEmail: string;
  readonly expiresAt: Date | null;
  readonly maxActivations?: number | null;
  /** `manual`, or `processor:purchase`, of which each tenant has one license. */
  readonly source: string;
}

/** What of a license may change once it is issued. */
export type LicenseChange = Partial<
  Pick<LicenseEntity, 'revokedAt' | 'revokedFor' | 'expiresAt' | 'maxActivations' | 'planId' | 'buyerEmail'>
> & { readonly suspendedFor?: readonly Suspension[] };

/**
 * The licenses themselves, for whoever works on them inside a transaction of his own: the tenant's routes, and payments.
 * Whoever changes one has locked it first, and so excludes activations, releases and every other change meanwhile.
 */
@Injectable()
export class LicenseBook {
  /** Run inside the transaction that replaces a license's code or erases the license, before it does: its code is good no longer. */
  readonly codeEnding = new Hook<LicenseEntity>();
  /** Run inside the transaction that erases a license, before it does: its buyer is to go with it. */
  readonly erasing = new Hook<LicenseEntity>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodeDigests,
  ) {}

  /** Issues a license. The code is in this result and nowhere else; whoever keeps it seals it. */
  async issue(wanted: NewLicense): Promise<{ readonly license: LicenseEntity; readonly code: string }> {
    const { code, kept } = this.codes.make();
    const license = Object.assign(new LicenseEntity(), newRow(this.clock.now()), kept, {
      tenantId: wanted.tenantId,
      extensionId: wanted.plan.extensionId,
      planId: wanted.plan.id,
      buyerEmail: wanted.buyerEmail,
      source: wanted.source,
      revokedAt: null,
      revokedFor: null,
      suspendedFor: [],
      expiresAt: wanted.expiresAt,
      maxActivations: wanted.maxActivations ?? null,
      delivery: null,
      deliveryId: null,
    });
    await this.tx.repository(LicenseEntity).insert(license);
    return { license, code };
  }

  /** The license, locked until the transaction ends; null when the tenant has none with that id. */
  lock(tenantId: string, id: string): Promise<LicenseEntity | null> {
    return this.find({ tenantId, id });
  }

  /** The license that a purchase made, locked until the transaction ends; null when it has made none. */
  lockOfPurchase(tenantId: string, source: string): Promise<LicenseEntity | null> {
    return source === ISSUED_BY_HAND ? Promise.resolve(null) : this.find({ tenantId, source });
  }

  /** Changes a license that was locked. The plan must be one of the same extension. */
  async change(license: LicenseEntity, change: LicenseChange): Promise<LicenseEntity> {
    Object.assign(license, change, { updatedAt: this.clock.now() });
    return this.tx.repository(LicenseEntity).save(license);
  }

  /** Gives a license that was locked a new code, known from this moment on instead of the old one. Its seats stay. */
  async rotate(license: LicenseEntity): Promise<string> {
    await this.codeEnding.run(license);
    const { code, kept } = this.codes.make();
    await this.change(Object.assign(license, kept, { delivery: null, deliveryId: null }), {});
    return code;
  }

  /** Erases a license that was locked, with its seats and its buyer. */
  async erase(license: LicenseEntity): Promise<void> {
    await this.codeEnding.run(license);
    await this.erasing.run(license);
    await this.tx.repository(LicenseEntity).delete({ id: license.id });
  }

  /** Says of a license that was locked, or has just been issued, that its code is on the way. */
  async delivering(license: LicenseEntity, deliveryId: string): Promise<void> {
    await this.change(Object.assign(license, { delivery: 'waiting', deliveryId }), {});
  }

  /** Says what became of a delivery, unless the license has another code by now. */
  async delivered(deliveryId: string, delivery: Delivery): Promise<void> {
    await this.tx.query(
      'update license set delivery = $2, updated_at = $3 where delivery_id = $1 and delivery is distinct from $2',
      [deliveryId, delivery, this.clock.now()],
    );
  }

  /** How many devices the license's plan seats. */
  async planSeats(license: Pick<LicenseEntity, 'planId'>): Promise<number> {
    return (await this.planOf(license)).maxActivations;
  }

  /** What was bought. */
  planOf({ planId }: Pick<LicenseEntity, 'planId'>): Promise<PlanEntity> {
    return this.tx.repository(PlanEntity).findOneByOrFail({ id: planId });
  }

  /** The license of a buyer, locked until the transaction ends; null when no license with that id is his. */
  lockOfBuyer(buyerEmail: string, id: string): Promise<LicenseEntity | null> {
    return this.find({ buyerEmail, id });
  }

  private find(
    where:
      | { readonly tenantId: string; readonly id: string }
      | { readonly tenantId: string; readonly source: string }
      | { readonly buyerEmail: string; readonly id: string },
  ): Promise<LicenseEntity | null> {
    return this.tx.repository(LicenseEntity).findOne({ where, lock: { mode: 'pessimistic_write' } });
  }
}

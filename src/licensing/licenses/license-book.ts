import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { CodeDigests } from '../codes/code-digests.js';
import { PlanEntity } from '../plans/plan.entity.js';
import { ISSUED_BY_HAND, LicenseEntity } from './license.entity.js';
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
  Pick<LicenseEntity, 'revokedAt' | 'expiresAt' | 'maxActivations' | 'planId' | 'buyerEmail'>
> & { readonly suspendedFor?: readonly Suspension[] };

/**
 * The licenses themselves, for whoever works on them inside a transaction of his own: the tenant's routes, and payments.
 * Whoever changes one has locked it first, and so excludes activations, releases and every other change meanwhile.
 */
@Injectable()
export class LicenseBook {
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
      suspendedFor: [],
      expiresAt: wanted.expiresAt,
      maxActivations: wanted.maxActivations ?? null,
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
    const { code, kept } = this.codes.make();
    await this.change(Object.assign(license, kept), {});
    return code;
  }

  /** How many devices the license's plan seats. */
  async planSeats({ planId }: Pick<LicenseEntity, 'planId'>): Promise<number> {
    return (await this.tx.repository(PlanEntity).findOneByOrFail({ id: planId })).maxActivations;
  }

  private find(
    where: { readonly tenantId: string; readonly id: string } | { readonly tenantId: string; readonly source: string },
  ): Promise<LicenseEntity | null> {
    return this.tx.repository(LicenseEntity).findOne({ where, lock: { mode: 'pessimistic_write' } });
  }
}

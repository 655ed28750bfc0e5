import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../../common/database/index.js';
import { LicenseEntity } from '../licenses/index.js';
import { PlanNotFound } from '../licensing.problems.js';
import { LicenseBatchEntity } from './license-batch.entity.js';

/** Another request has the key already. */
export class KeyTaken extends Error {}

/** Batches of licenses. */
@Injectable()
export class LicenseBatchesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a batch, which keeps its plan from being deleted until the transaction ends. @throws KeyTaken @throws PlanNotFound */
  async insert(batch: LicenseBatchEntity): Promise<void> {
    await onConstraint(() => this.rows.insert(batch), {
      license_batch_tenant_id_idempotency_key_key: () => new KeyTaken(),
      license_batch_plan_id_fkey: () => new PlanNotFound(),
    });
  }

  findByKey(tenantId: string, idempotencyKey: string): Promise<LicenseBatchEntity | null> {
    return this.rows.findOneBy({ tenantId, idempotencyKey });
  }

  async setSealed(id: string, sealed: string): Promise<void> {
    await this.rows.update({ id }, { sealed });
  }

  /** Finds licenses as they are now, by their ids. */
  async findLicenses(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<LicenseEntity, 'buyerEmail' | 'codeHint'>>> {
    const found = await this.tx.repository(LicenseEntity).find({
      select: { id: true, buyerEmail: true, codeHint: true },
      where: { id: In([...ids]) },
    });
    return new Map(found.map((one) => [one.id, one]));
  }

  /** Forgets what repetitions of older batches would be answered with. */
  async forgetAnswersBefore(time: Date): Promise<void> {
    await this.rows.update({ sealed: Not(IsNull()), createdAt: LessThan(time) }, { sealed: null });
  }

  private get rows(): Repository<LicenseBatchEntity> {
    return this.tx.repository(LicenseBatchEntity);
  }
}

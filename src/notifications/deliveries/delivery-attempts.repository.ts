import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { DeliveryAttemptEntity, type DeliveryAttemptRow } from './delivery-attempt.entity.js';

/** Attempts that are shown of one delivery: those of a day, and of many redeliveries. */
const SHOWN = 50;

/** Attempts to deliver notifications. */
@Injectable()
export class DeliveryAttemptsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(rows: readonly DeliveryAttemptRow[]): Promise<void> {
    if (rows.length > 0) await this.attempts.insert([...rows]);
  }

  /** Lists the last attempts of a delivery, newest first. */
  list(deliveryId: string): Promise<readonly DeliveryAttemptEntity[]> {
    return this.attempts.find({ where: { deliveryId }, order: { triedAt: 'DESC', id: 'DESC' }, take: SHOWN });
  }

  async deleteBefore(time: Date): Promise<void> {
    await this.attempts.delete({ triedAt: LessThan(time) });
  }

  private get attempts(): Repository<DeliveryAttemptEntity> {
    return this.tx.repository(DeliveryAttemptEntity);
  }
}

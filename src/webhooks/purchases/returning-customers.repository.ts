import { Injectable } from '@nestjs/common';
import { In, LessThan, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { Seller } from '../seller.js';
import { ReturningCustomerEntity, type ReturningCustomerRow } from './purchase.entity.js';

/** E-mail addresses of erased customers who may be buying again, sealed. */
@Injectable()
export class ReturningCustomersRepository {
  constructor(private readonly tx: Transactions) {}

  async find(seller: Seller, customerIds: readonly string[]): Promise<readonly ReturningCustomerEntity[]> {
    return customerIds.length === 0 ? [] : this.rows.findBy({ ...seller, customerId: In([...customerIds]) });
  }

  async insert(row: ReturningCustomerRow): Promise<void> {
    await this.rows.insert(row);
  }

  async delete({ tenantId, processor }: Seller, customerId: string): Promise<void> {
    await this.rows.delete({ tenantId, processor, customerId });
  }

  async deleteBefore(time: Date): Promise<void> {
    await this.rows.delete({ createdAt: LessThan(time) });
  }

  private get rows(): Repository<ReturningCustomerEntity> {
    return this.tx.repository(ReturningCustomerEntity);
  }
}

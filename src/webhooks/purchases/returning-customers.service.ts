import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { In, LessThan, type Repository } from 'typeorm';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { Sealer } from '../../common/sealing/index.js';
import type { Dated } from '../ledger/dated.js';
import { ReturningCustomerEntity } from './purchase.entity.js';
import type { Seller } from '../seller.js';

/** A new purchase arrives this soon after what the processor says of its customer. */
const KEPT_MS = DAY_MS;

const purposeOf = (id: string): string => `returning-customer:${id}`;

/** E-mail addresses of erased customers who may be buying again. Every method but the cleanup runs inside its caller's transaction. */
@Injectable()
export class ReturningCustomersService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
  ) {}

  /** The addresses by the processor's customer id. */
  async find(seller: Seller, customerIds: readonly string[]): Promise<Readonly<Record<string, Dated<string>>>> {
    const found: Record<string, Dated<string>> = {};
    for (const { id, customerId, sealed, emailReportedAt, createdAt } of await this.rows.findBy({
      ...seller,
      customerId: In([...customerIds]),
    }))
      if (createdAt > this.keptSince())
        found[customerId] = {
          at: emailReportedAt.toISOString(),
          value: (await this.sealer.unseal(sealed, purposeOf(id))) as string,
        };
    return found;
  }

  async keep(seller: Seller, customerId: string, { at, value }: Dated<string>): Promise<void> {
    await this.delete(seller, customerId);
    const row = newRow(this.clock.now());
    const sealed = await this.sealer.seal(value, purposeOf(row.id));
    await this.rows.insert({ ...row, ...seller, customerId, sealed, emailReportedAt: new Date(at) });
  }

  async delete(seller: Seller, customerId: string): Promise<void> {
    await this.rows.delete({ ...seller, customerId });
  }

  @Interval('returning-customer-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    await this.rows.delete({ createdAt: LessThan(this.keptSince()) });
  }

  private keptSince(): Date {
    return new Date(this.clock.now().getTime() - KEPT_MS);
  }

  private get rows(): Repository<ReturningCustomerEntity> {
    return this.tx.repository(ReturningCustomerEntity);
  }
}

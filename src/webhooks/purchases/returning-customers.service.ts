import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { newRow } from '../../common/database/index.js';
import { Sealer } from '../../common/sealing/index.js';
import type { Dated } from '../ledger/index.js';
import type { Seller } from '../seller.js';
import { ReturningCustomersRepository } from './returning-customers.repository.js';

/** A new purchase arrives within this time of its customer's e-mail address. */
const KEPT_MS = DAY_MS;

const purposeOf = (id: string): string => `returning-customer:${id}`;

/** E-mail addresses of erased customers who may be buying again. Every method but the cleanup runs inside its caller's transaction. */
@Injectable()
export class ReturningCustomersService {
  constructor(
    private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly customers: ReturningCustomersRepository,
  ) {}

  /** Returns the addresses by the processor's customer id. */
  async find(seller: Seller, customerIds: readonly string[]): Promise<Readonly<Record<string, Dated<string>>>> {
    const addresses: Record<string, Dated<string>> = {};
    for (const { id, customerId, sealed, emailReportedAt, createdAt } of await this.customers.find(seller, customerIds))
      if (createdAt > this.keptSince())
        addresses[customerId] = {
          at: emailReportedAt.toISOString(),
          value: (await this.sealer.unseal(sealed, purposeOf(id))) as string,
        };
    return addresses;
  }

  /** Stores the address of an erased customer, replacing an earlier one. */
  async keep(seller: Seller, customerId: string, { at, value }: Dated<string>): Promise<void> {
    await this.delete(seller, customerId);
    const row = newRow(this.clock.now());
    const sealed = await this.sealer.seal(value, purposeOf(row.id));
    await this.customers.insert({ ...row, ...seller, customerId, sealed, emailReportedAt: new Date(at) });
  }

  /** Deletes the address of a customer. */
  delete(seller: Seller, customerId: string): Promise<void> {
    return this.customers.delete(seller, customerId);
  }

  /** Deletes the addresses of customers who did not buy again. */
  @Interval('returning-customer-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    await this.customers.deleteBefore(this.keptSince());
  }

  private keptSince(): Date {
    return new Date(this.clock.now().getTime() - KEPT_MS);
  }
}

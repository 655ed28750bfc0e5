import { Injectable } from '@nestjs/common';
import { PurchaseLookup } from '../licenses/index.js';
import type { Customer } from './customers.dto.js';
import { CustomersRepository } from './customers.repository.js';

/** The buyers of a tenant. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly customers: CustomersRepository,
    private readonly purchases: PurchaseLookup,
  ) {}

  /** Finds what belongs to the licenses of an address; nothing for one that has none. */
  async find(tenantId: string, email: string): Promise<Customer> {
    const [name, devices, mails] = await Promise.all([
      this.purchases.nameOf(tenantId, email),
      this.customers.devices(tenantId, email),
      this.customers.mails(tenantId, email),
    ]);
    return { email, name, devices, mails };
  }
}

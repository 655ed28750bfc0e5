import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/index.js';
import { PurchaseLookup } from '../licenses/index.js';
import type { Customer } from './customers.dto.js';
import { CustomersRepository } from './customers.repository.js';

/** The buyers of a tenant. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly customers: CustomersRepository,
    private readonly purchases: PurchaseLookup,
    private readonly audit: AuditLog,
  ) {}

  /** Finds what belongs to the licenses of an address; nothing for one that has none. */
  async find(tenantId: string, email: string): Promise<Customer> {
    const [name, devices, mails] = await Promise.all([
      this.purchases.nameOf(tenantId, email),
      this.customers.devices(tenantId, email),
      this.customers.mails(tenantId, email),
    ]);
    const count = devices.length + mails.length;
    await this.audit.recordRead(tenantId, 'tenant.buyer_looked_up', { id: tenantId }, { email }, count);
    return { email, name, devices, mails };
  }
}

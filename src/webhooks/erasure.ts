import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Transactions } from '../common/database/index.js';
import { ABSENT_ID } from '../common/fields/index.js';
import { LicensesRepository, type LicenseEntity } from '../licensing/index.js';
import type { ProcessorId } from '../payments/index.js';

/** So many notifications are searched by one statement: a tenant may have very many. */
const SEARCHED_AT_ONCE = 2000;

interface Erased {
  readonly customerId: string | null;
  readonly email: string | null;
}

/**
 * Lets a buyer go with his last license: from purchases, from what is known of customers, and from notifications, in the transaction that
 * erases the license. Ids of the processor stay, so that what it tells of the purchase later is known to be about somebody erased.
 */
@Injectable()
export class Erasure implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly licenses: LicensesRepository,
  ) {}

  onModuleInit(): void {
    this.licenses.erasing.add((license) => this.erase(license));
  }

  /** Whose e-mail address is no longer to be kept, of these customers of a processor. */
  async erasedAmong(
    tenantId: string,
    processor: ProcessorId,
    customerIds: readonly string[],
  ): Promise<readonly string[]> {
    if (customerIds.length === 0) return [];
    const rows = await this.tx.query<{ readonly customerId: string }>(
      `select customer_id as "customerId" from purchase
        where tenant_id = $1 and processor = $2 and customer_id = any($3)
        group by customer_id having bool_and(erased_at is not null)`,
      [tenantId, processor, customerIds],
    );
    return rows.map(({ customerId }) => customerId);
  }

  /** Lets go of what a notification said that has just been kept and belongs to no purchase, if it is about somebody erased. */
  async follow(inboxItemId: string): Promise<void> {
    await this.tx.query(
      `update inbox_item set payload = null
        where id = $1 and exists (
          select from purchase where erased_at is not null and tenant_id = inbox_item.tenant_id
            and processor = inbox_item.processor and position('"' || customer_id || '"' in payload) > 0)`,
      [inboxItemId],
    );
  }

  private async erase({ id: licenseId, tenantId, buyerEmail }: LicenseEntity): Promise<void> {
    const purchases = await this.erasePurchases(tenantId, licenseId);
    const emails = [buyerEmail, ...purchases.flatMap(({ email }) => email ?? [])];
    const customerIds = purchases.flatMap(({ customerId }) => customerId ?? []);
    const customers = await this.tx.query<{ readonly email: string }>(
      `delete from payment_customer customer
        where tenant_id = $1 and (email = any($2) or customer_id = any($3))
          and not exists (select from purchase where erased_at is null
            and (tenant_id, processor, customer_id) = (customer.tenant_id, customer.processor, customer.customer_id))
        returning email`,
      [tenantId, emails, customerIds],
    );
    const said = [
      ...emails,
      ...customers.map(({ email }) => email),
      ...customerIds.map((id) => `"${id.toLowerCase()}"`),
    ];
    await this.forgetWhatSays(tenantId, said);
  }

  /** Erases the buyer from what was told of the purchases that have no other license. @returns who they were */
  private async erasePurchases(tenantId: string, licenseId: string): Promise<readonly Erased[]> {
    // The lock of PurchasesService: a notification under way would bring the buyer back.
    await this.tx.query(
      `select pg_advisory_xact_lock(hashtextextended('payments:' || tenant_id || ':' || processor, 0))
        from (select distinct tenant_id, processor from purchase where tenant_id = $1
          and id in (select purchase_id from purchase_license where license_id = $2)) seller`,
      [tenantId, licenseId],
    );
    return this.tx.query<Erased>(
      `with found as (
         select id, customer_id as "customerId", paid -> 'email' ->> 'value' as email
           from purchase where tenant_id = $1
             and id in (select purchase_id from purchase_license where license_id = $2)
             and not exists (select from purchase_license where purchase_id = purchase.id and license_id <> $2)
           for update
       ), erased as (
         update purchase set erased_at = $3, paid = jsonb_set(paid, '{email}', 'null') where id in (select id from found)
       ), forgotten as (
         update inbox_item set payload = null where purchase_id in (select id from found)
       )
       select "customerId", email from found`,
      [tenantId, licenseId, this.clock.now()],
    );
  }

  /** Searches the notifications that belong to nothing that was bought, such as those about customers. */
  private async forgetWhatSays(tenantId: string, said: readonly string[]): Promise<void> {
    for (let after: string | undefined = ABSENT_ID; after !== undefined;) {
      const rows: readonly { readonly id: string }[] = await this.tx.query(
        `select id from inbox_item where tenant_id = $1 and id > $2 and payload is not null and (purchase_id is null
            or exists (select from purchase where id = inbox_item.purchase_id and paid ->> 'purchasedAt' is null))
          order by id limit ${SEARCHED_AT_ONCE}`,
        [tenantId, after],
      );
      if (rows.length === 0) return;
      await this.tx.query(
        `update inbox_item set payload = null
          where id = any($1) and exists (select from unnest($2::text[]) one where position(one in lower(payload)) > 0)`,
        [rows.map(({ id }) => id), said],
      );
      after = rows.length < SEARCHED_AT_ONCE ? undefined : rows.at(-1)?.id;
    }
  }
}

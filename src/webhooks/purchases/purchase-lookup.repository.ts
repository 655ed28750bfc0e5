import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { MOST_COUNTED, type TextRange } from '../../common/fields/index.js';
import type { PaymentPages } from '../../licensing/index.js';
import { PROCESSOR_IDS, REF_KINDS } from '../../payments/index.js';
import { type BoughtPart, type PaymentRecord, readRecord } from '../ledger/index.js';

/** The part of a subscription that a license is for, and what is recorded of its payments. */
interface Subscribed extends BoughtPart {
  readonly licenseId: string;
  readonly paid: PaymentRecord;
}

/** What licensing reads of purchases. */
@Injectable()
export class PurchaseLookupRepository {
  constructor(private readonly tx: Transactions) {}

  /**
   * Finds the licenses of the purchases that have an id of any kind at any processor, between two texts in the order of bytes, and of the newest whose
   * buyer's name matches. Raw SQL: a join, and a search for words.
   */
  async licenseIdsOf(tenantId: string, orders: TextRange | null, names: string | null): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly licenseId: string }>(
      `select distinct license_id as "licenseId"
         from (select purchase_id
                 from unnest($2::text[]) as one(processor) cross join unnest($3::text[]) as kind
                 join purchase_ref on tenant_id = $1 and purchase_ref.processor = one.processor
                  and ref >= kind || $4 collate "C" and ref <= kind || $5 collate "C"
               union all
               (select id from purchase where tenant_id = $1 and buyer_words @@ $6::tsquery order by id desc limit $7)) found
         join purchase_license using (purchase_id)
        where license_id is not null`,
      [
        tenantId,
        PROCESSOR_IDS,
        REF_KINDS.map((kind) => `${kind}:`),
        orders?.from ?? null,
        orders?.to ?? null,
        names,
        MOST_COUNTED,
      ],
    );
    return rows.map(({ licenseId }) => licenseId);
  }

  /** Finds the name of the buyer with an address, as the newest purchase tells it. Raw SQL: it reads a value out of a record. */
  async nameOf(tenantId: string, buyer: string): Promise<string | null> {
    const [row] = await this.tx.query<{ readonly name: string }>(
      `select paid -> 'buyerName' ->> 'value' as name from purchase
        where tenant_id = $1 and buyer = $2 and buyer_words is not null order by id desc limit 1`,
      [tenantId, buyer],
    );
    return row?.name ?? null;
  }

  /** Finds the processors' pages for the purchases of licenses, but of gifts, whose payments concern the buyer alone. Raw SQL: it reads values out of each record. */
  findPages(licenseIds: readonly string[]): Promise<readonly PaymentPages[]> {
    return this.tx.query<PaymentPages>(
      `select license_id as "licenseId", paid -> 'receiptUrl' ->> 'value' as "receiptUrl", paid -> 'portalUrl' ->> 'value' as "portalUrl"
         from purchase_license join purchase on purchase.id = purchase_id
        where license_id = any($1) and passed_at is null and paid -> 'recipient' ->> 'value' is null order by license_id, purchase_id`,
      [licenseIds],
    );
  }

  /** Finds the subscriptions of licenses, without parts that have ended. Raw SQL: a join. */
  async subscribed(licenseIds: readonly string[]): Promise<readonly Subscribed[]> {
    const rows = await this.tx.query<Subscribed>(
      `select license_id as "licenseId", slot.is_once as "isOnce", slot.products, purchase.paid
         from purchase_license slot join purchase on purchase.id = slot.purchase_id
        where license_id = any($1) and slot.ended_at is null and not slot.is_once and purchase.subscribed_until is not null`,
      [licenseIds],
    );
    return rows.map((row) => ({ ...row, paid: readRecord(row.paid) }));
  }
}

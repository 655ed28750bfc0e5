import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/database/index.js';
import type { TextRange } from '../../../common/fields/index.js';
import { buyerDomainSql } from '../../../licensing/index.js';
import { PROCESSOR_IDS } from '../../../payments/index.js';
import type { SearchHit } from './search.dto.js';
import type { SearchTerms } from './search-terms.js';

const MAX_OF_EACH = 10;

/** Scope of a search: a tenant, or some of its extensions. */
export interface SearchIn {
  readonly tenantId: string;
  /** Null for all. */
  readonly extensionIds: readonly string[] | null;
}

/** Reads all extensions of a tenant, which are few, and versions by the unique index of each. */
const EXTENSIONS = `
  with own as (
    select id, name, name_key from extension where tenant_id = $1 and ($2::uuid[] is null or id = any($2))
  )
  (select 'extension' as kind, id, id as "extensionId", name as "extensionName", name as title, null as detail, null as store
     from own where strpos(name_key, $3) > 0 order by strpos(name_key, $3), name_key limit $6)
  union all
  (select 'item', target.id, own.id, own.name, store_item_id, null, store
     from own join target on extension_id = own.id where $4 in (store_item_id, crx_id) order by target.id desc limit $6)
  union all
  (select 'version', found.id, own.id, own.name, found.version, null, null
     from own cross join lateral (
       select id, version from artifact where extension_id = own.id and version = $5 order by scope limit 1
     ) found order by found.id desc limit $6)`;

/** Each condition uses its own index. */
const LICENSES = `
  with found as (
    (select id from license where code_digest = any($3::bytea[]) and tenant_id = $1)
    union
    (select id from license where tenant_id = $1 and code_hint between $4 and $5 order by id desc limit $11)
    union
    (select id from license where tenant_id = $1 and buyer_email between $6 and $7 order by id desc limit $11)
    union
    (select id from license where tenant_id = $1 and ${buyerDomainSql('license')} between $12 and $13 order by id desc limit $11)
    union
    (select license_id
       from unnest($8::text[]) as one(processor) cross join unnest($9::text[], $10::text[]) as wanted(low, high)
       join purchase_ref on tenant_id = $1 and purchase_ref.processor = one.processor
        and ref >= low collate "C" and ref <= high collate "C"
       join purchase_license using (purchase_id)
      where license_id is not null limit $11)
    union
    (select license_id
       from purchase join purchase_license on purchase_id = purchase.id join license on license.id = license_id
      where purchase.tenant_id = $1 and buyer_words @@ $14::tsquery
        and ($2::uuid[] is null or license.extension_id = any($2)) order by license_id desc limit $11)
  )
  select 'license' as kind, license.id, extension.id as "extensionId", extension.name as "extensionName",
         '…' || code_hint as title, buyer_email as detail, null as store
    from found join license on license.id = found.id join extension on extension.id = license.extension_id
   where license.tenant_id = $1 and ($2::uuid[] is null or extension.id = any($2))
   order by license.id desc limit $11`;

const HAS_NO_LICENSE =
  'not exists (select from purchase_license held where held.purchase_id = purchase.id and license_id is not null)';

/** Purchases without a license. */
const SALES = `
  with found as (
    (select purchase_id as id
       from unnest($2::text[]) as one(processor) cross join unnest($3::text[], $4::text[]) as wanted(low, high)
       join purchase_ref on tenant_id = $1 and purchase_ref.processor = one.processor
        and ref >= low collate "C" and ref <= high collate "C")
    union
    (select id from purchase where tenant_id = $1 and buyer_words @@ $6::tsquery and ${HAS_NO_LICENSE} order by id desc limit $5)
  )
  select 'sale' as kind, purchase.id, null::uuid as "extensionId", null as "extensionName",
         initcap(purchase.processor) as title, null as detail, null as store
    from found join purchase using (id)
   where ${HAS_NO_LICENSE}
   limit $5`;

const endsOf = (ranges: readonly TextRange[]) => [ranges.map(({ from }) => from), ranges.map(({ to }) => to)] as const;

/** Searches extensions, licenses and sales. Raw SQL: each statement reads several tables. */
@Injectable()
export class SearchRepository {
  constructor(private readonly tx: Transactions) {}

  extensions(
    { tenantId, extensionIds }: SearchIn,
    { name, storeItem, version }: SearchTerms,
  ): Promise<readonly SearchHit[]> {
    return this.tx.query(EXTENSIONS, [tenantId, extensionIds, name, storeItem, version, MAX_OF_EACH]);
  }

  /** @param digests of the code that the text is, under each pepper */
  licenses(
    { tenantId, extensionIds }: SearchIn,
    { codeHint, email, domain, refs, buyers }: SearchTerms,
    digests: readonly Buffer[],
  ): Promise<readonly SearchHit[]> {
    const ranges = [codeHint?.from, codeHint?.to, email?.from, email?.to].map((text) => text ?? null);
    const values = [tenantId, extensionIds, digests, ...ranges, PROCESSOR_IDS, ...endsOf(refs), MAX_OF_EACH];
    return this.tx.query(LICENSES, [...values, domain?.from ?? null, domain?.to ?? null, buyers]);
  }

  sales(tenantId: string, { refs, buyers }: SearchTerms): Promise<readonly SearchHit[]> {
    return this.tx.query(SALES, [tenantId, PROCESSOR_IDS, ...endsOf(refs), MAX_OF_EACH, buyers]);
  }
}

import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { Clock } from '../../common/system/index.js';
import { licenseStatusSql } from '../licenses/index.js';
import type { Campaign } from './campaigns.dto.js';

/** A campaign with the id of its newest license, by which campaigns are ordered. */
export interface CampaignRow extends Campaign {
  readonly id: string;
}

/** Campaigns, counted from their licenses. */
@Injectable()
export class CampaignsRepository {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
  ) {}

  /** Lists a tenant's campaigns: one more than the page holds, the last issued first. Raw SQL: it groups and counts. */
  list(
    tenantId: string,
    { extension, campaign }: { readonly extension?: string; readonly campaign?: string },
    { limit, after }: PageStart,
  ): Promise<readonly CampaignRow[]> {
    return this.tx.query(
      `select * from (
         select license.campaign, license.extension_id as "extensionId", license.plan_id as "planId", plan.tier,
                count(*)::int as issued, count(*) filter (where revoked_at is not null)::int as revoked,
                count(*) filter (where ${licenseStatusSql('$6::timestamptz')} = 'active')::int as active,
                count(*) filter (where exists (select from seat where license_id = license.id)
                  or exists (select from license_gift where license_id = license.id and redeemed_at is not null))::int as used,
                min(license.created_at) as "firstIssuedAt", max(license.created_at) as "lastIssuedAt",
                max(license.id::text)::uuid as id
           from license join plan on plan.id = license.plan_id
          where license.tenant_id = $1 and license.campaign is not null
            and ($2::uuid is null or license.extension_id = $2) and ($3::text is null or license.campaign = $3)
          group by license.campaign, license.extension_id, license.plan_id, plan.tier) campaign
        where id < $4 order by id desc limit $5`,
      [tenantId, extension ?? null, campaign ?? null, after, limit + 1, this.clock.now()],
    );
  }
}

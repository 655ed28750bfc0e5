import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { licenseStatusSql } from '../licenses/index.js';
import { RestoreLinkEntity } from './restore-link.entity.js';

/** A license that a device can be given. */
export interface RestorableLicense {
  readonly id: string;
  readonly tenantId: string;
  readonly extensionName: string;
  /** As many other devices hold a seat as it allows. */
  readonly isFull: boolean;
}

/** Links that give devices a license. */
@Injectable()
export class RestoresRepository {
  constructor(private readonly tx: Transactions) {}

  /** Finds the best license of a buyer for an extension: one that is active, then one with a free seat, then the newest. Raw SQL: one statement for all. */
  async findLicense(
    { extensionId, email, fingerprintDigest }: Pick<RestoreLinkEntity, 'extensionId' | 'email' | 'fingerprintDigest'>,
    now: Date,
  ): Promise<RestorableLicense | null> {
    const [license = null] = await this.tx.query<RestorableLicense>(
      `select id, "tenantId", "extensionName", "isFull"
         from (select license.id, license.tenant_id as "tenantId", extension.name as "extensionName",
                      ${licenseStatusSql('$3')} = 'active' as is_active,
                      (select count(*) from seat where license_id = license.id and ended_at is null and fingerprint_digest <> $4)
                        >= coalesce(license.max_activations, plan.max_activations) as "isFull"
                 from license
                 join plan on plan.id = license.plan_id
                 join extension on extension.id = license.extension_id
                where license.buyer_email = $2 and license.extension_id = $1 and license.revoked_at is null) own
        order by is_active desc, "isFull", id desc
        limit 1`,
      [extensionId, email, now, fingerprintDigest],
    );
    return license;
  }

  async insert(link: Omit<RestoreLinkEntity, 'extension'>): Promise<void> {
    await this.rows.insert(link);
  }

  /** Finds a link that is still valid. */
  async find(secretDigest: string, now: Date): Promise<RestoreLinkEntity | null> {
    const link = await this.rows.findOneBy({ secretDigest });
    return link === null || link.expiresAt <= now ? null : link;
  }

  /** Deletes a link that is still valid. @returns false when another request has done so */
  async take(id: string): Promise<boolean> {
    return (await this.rows.delete({ id })).affected === 1;
  }

  async deleteOf(email: string): Promise<void> {
    await this.rows.delete({ email });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<RestoreLinkEntity> {
    return this.tx.repository(RestoreLinkEntity);
  }
}

import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { newRow } from '../../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import type { LicenseEntity } from '../licenses/index.js';
import type { TeamLink } from './members.dto.js';
import { TeamLinksRepository } from './team-links.repository.js';

/** How long a link lets people join, in days. */
export const TEAM_LINK_DAYS = 7;

/** Links by which people join a license. */
@Injectable()
export class TeamLinksService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly links: TeamLinksRepository,
  ) {}

  /** Makes the link of a locked license, in place of the one before. Its address is stored nowhere. */
  async make({ id: licenseId, tenantId }: Pick<LicenseEntity, 'id' | 'tenantId'>): Promise<TeamLink> {
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + TEAM_LINK_DAYS * DAY_MS);
    await this.links.replace({ ...newRow(now), licenseId, secretDigest: digestOf(secret), expiresAt });
    return { url: `${this.config.publicUrl}/buyer/team/join?token=${secret}&seller=${tenantId}`, expiresAt };
  }

  /** Finds the license of a link. @returns null when the link is unknown, replaced or expired */
  async find(secret: string): Promise<LicenseEntity | null> {
    const link = isSecret(secret) ? await this.links.find(digestOf(secret)) : null;
    return link === null || link.expiresAt <= this.clock.now() ? null : (link.license ?? null);
  }

  /** Deletes expired links. */
  @Interval('team-link-cleanup', HOUR_MS)
  async deleteExpired(): Promise<void> {
    await this.links.deleteExpired(this.clock.now());
  }
}

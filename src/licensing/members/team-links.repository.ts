import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { TeamLinkEntity } from './team-link.entity.js';

/** Links by which people join licenses. */
@Injectable()
export class TeamLinksRepository {
  constructor(private readonly tx: Transactions) {}

  /** Puts a link in place of the license's present one. The license is locked. */
  async replace(link: TeamLinkEntity): Promise<void> {
    await this.rows.delete({ licenseId: link.licenseId });
    await this.rows.insert(link);
  }

  /** Finds a link with its license. */
  find(secretDigest: string): Promise<TeamLinkEntity | null> {
    return this.rows.findOne({ where: { secretDigest }, relations: { license: true } });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<TeamLinkEntity> {
    return this.tx.repository(TeamLinkEntity);
  }
}

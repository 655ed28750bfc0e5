import { Injectable } from '@nestjs/common';
import { pageFrom, type Page } from '../../common/fields/index.js';
import { ExtensionsService } from '../../registry/index.js';
import type { Campaign, ListCampaigns } from './campaigns.dto.js';
import { CampaignsRepository } from './campaigns.repository.js';

/** Campaigns of a tenant. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly campaigns: CampaignsRepository,
  ) {}

  /** Lists campaigns, the last issued first. */
  async list(tenantId: string, query: ListCampaigns): Promise<Page<Campaign>> {
    if (query.extension !== undefined) await this.extensions.getOrThrow(tenantId, query.extension);
    return pageFrom(
      query,
      (start) => this.campaigns.list(tenantId, query, start),
      ({ id: _id, ...campaign }) => campaign,
    );
  }
}

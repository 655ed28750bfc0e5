import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../../common/fields/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { TargetsService } from '../../targets/index.js';
import type { Release } from '../reconcile.dto.js';
import { ReleasesRepository } from './releases.repository.js';

/** The releases of an extension, for tenants. */
@Injectable()
export class ReleasesService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
    private readonly releases: ReleasesRepository,
  ) {}

  onModuleInit(): void {
    this.targets.publicIdChanged.add((target) => this.releases.resetPublishedState(target, this.clock.now()));
  }

  /** The versions with their state at each target, the newest version first. @throws ExtensionNotFound */
  async listByVersion(tenantId: string, extensionId: string, query: PageQuery): Promise<Page<Release>> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    const { limit, after } = readPage(query);
    const rows = await this.releases.listByVersion(extensionId, after, limit + 1);
    return toPage(rows, limit, ({ version, targets }) => ({
      version,
      targets: targets.map((each) => ({ ...each, at: new Date(each.at) })),
    }));
  }
}

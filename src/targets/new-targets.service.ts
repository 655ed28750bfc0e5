import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { Hook, newRow } from '../common/database/index.js';
import { Clock } from '../common/system/index.js';
import { AccountsService } from '../platform/accounts/index.js';
import { ExtensionsService, type ExtensionRef } from '../registry/index.js';
import { Stores, type Store } from '../stores/index.js';
import { PinnedVersions } from './pinned-versions.js';
import { rescheduled } from './status/target-status.js';
import { TargetStatusEntity, type TargetWithStatus } from './status/target-status.entity.js';
import { TargetEntity } from './target.entity.js';
import { TargetLimitReached } from './targets.problems.js';
import { TargetsRepository } from './targets.repository.js';

/** Makes targets: one for each store with a new extension, and further ones. */
@Injectable()
export class NewTargetsService implements OnModuleInit {
  /** Targets have been added. */
  readonly added = new Hook<readonly TargetEntity[]>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly accounts: AccountsService,
    private readonly extensions: ExtensionsService,
    private readonly stores: Stores,
    private readonly pins: PinnedVersions,
    private readonly targets: TargetsRepository,
  ) {}

  onModuleInit(): void {
    this.extensions.created.add((extension) => this.addDefaults(extension));
  }

  /** A target with the store's defaults and the pinned version, which is not written yet. */
  async prepare(extension: ExtensionRef, store: Store): Promise<TargetWithStatus> {
    const { id, tenantId } = extension;
    const count = (): Promise<number> => this.targets.count(id);
    await this.accounts.enforceLimit(tenantId, this.config.maxTargetsPerExtension, count, TargetLimitReached);
    const row = this.empty(extension, store);
    row.status.desiredVersion = await this.pins.storeVersionFor(row);
    return row;
  }

  private async addDefaults(extension: ExtensionRef): Promise<void> {
    const rows = this.stores.all.map((store) => this.empty(extension, store));
    for (const row of rows) Object.assign(row.status, rescheduled(row, this.clock.now()));
    await this.insert(rows);
  }

  /** Writes new targets. */
  async insert(rows: readonly TargetWithStatus[]): Promise<void> {
    await this.targets.insert(rows);
    await this.added.run(rows);
  }

  private empty({ id: extensionId, tenantId }: ExtensionRef, { id: store, capabilities }: Store): TargetWithStatus {
    const platforms = [...capabilities.defaultPlatforms];
    const channel = capabilities.channels[0] ?? '';
    const settings = { ...newRow(this.clock.now()), extensionId, tenantId, store, platforms, channel };
    return Object.assign(new TargetEntity(), settings, { status: new TargetStatusEntity() });
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { pageFrom, type Page, type PageQuery } from '../../common/fields/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { byStore, Stores } from '../../stores/index.js';
import { TargetsService, wayOf } from '../../targets/index.js';
import type { VersionReleases } from '../reconcile.dto.js';
import type { Rejection } from './rejection.dto.js';
import { isRejected, waysOn } from './ways-on.js';
import { displayOfRelease } from './release-display.js';
import { ReleasesRepository, type VersionReleasesRow } from './releases.repository.js';

/** The releases of an extension, for tenants. */
@Injectable()
export class ReleasesService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
    private readonly stores: Stores,
    private readonly events: EventsService,
    private readonly releases: ReleasesRepository,
  ) {}

  onModuleInit(): void {
    this.targets.publicIdChanged.add((target) => this.releases.resetPublishedState(target, this.clock.now()));
  }

  /** The versions with their state at each target, the newest version first. */
  async listByVersion(tenantId: string, extensionId: string, query: PageQuery): Promise<Page<VersionReleases>> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    return pageFrom(
      query,
      async (start) => this.withEvents(await this.releases.listByVersion(extensionId, start)),
      ({ version, targets, events }) => ({
        version,
        targets: targets.toSorted(byStore).map(({ refusalKind, isHeld, isPinned, rejection, ...release }) => ({
          ...release,
          at: new Date(release.at),
          pushedAt: new Date(release.pushedAt),
          ...wayOf(events.get(release.targetId)?.filter((event) => event.version === version) ?? []),
          display: displayOfRelease(release.state, refusalKind, isHeld),
          rejection: isRejected(release.state) ? this.withWaysOn(release, isPinned, rejection) : null,
        })),
      }),
    );
  }

  /** Adds the events that mark how far the versions got, by target. */
  private async withEvents(rows: readonly VersionReleasesRow[]) {
    const targetIds = new Set(rows.flatMap(({ targets }) => targets.map(({ targetId }) => targetId)));
    const versions = rows.map(({ version }) => version);
    const events = await this.events.onTheWay([...targetIds], versions);
    return rows.map((row) => ({ ...row, events }));
  }

  private withWaysOn(
    { state, store }: Pick<VersionReleasesRow['targets'][number], 'state' | 'store'>,
    isPinned: boolean,
    { reason, ...known }: VersionReleasesRow['targets'][number]['rejection'],
  ): Rejection {
    const { capabilities } = this.stores.for(store);
    return {
      reason: reason === null ? null : { ...reason, recordedAt: new Date(reason.recordedAt) },
      ...known,
      waysOn: waysOn({ state, capabilities, isPinned, hasLive: known.live !== null }),
    };
  }
}

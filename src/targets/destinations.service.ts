import { Injectable } from '@nestjs/common';
import { orThrow } from '../common/problems/index.js';
import { Clock } from '../common/system/index.js';
import { Stores, type StoreId } from '../stores/index.js';
import { platformStatusOf } from './status/platform-status.js';
import { channelOrNull } from './target-channel.js';
import { SeveralTargets, TargetElsewhere, TargetNotFound } from './targets.problems.js';
import { TargetsRepository, type Place } from './targets.repository.js';

/** The store and the target that a request names. */
interface Named {
  readonly store?: StoreId | undefined;
  readonly target?: string | undefined;
}

/** Facts that a push needs about a target of its version. */
export interface Destination {
  readonly targetId: string;
  readonly store: StoreId;
  readonly storeItemId: string | null;
  readonly channel: string | null;
  readonly releaseNotes: string | null;
  readonly enabled: boolean;
  readonly desiredVersion: string | null;
  readonly liveVersion: string | null;
  readonly submittedVersion: string | null;
}

/** The targets that versions go to. */
@Injectable()
export class DestinationsService {
  constructor(
    private readonly clock: Clock,
    private readonly targets: TargetsRepository,
    private readonly stores: Stores,
  ) {}

  /**
   * The place that a request names; a target is at its store, which need not be named too.
   * @throws TargetNotFound; TargetElsewhere for a target of another store than the one that is named
   */
  async placeOf(extensionId: string, { store, target }: Named): Promise<Place> {
    if (target === undefined) return { store: store ?? null, targetId: null };
    const found = orThrow(await this.targets.find(extensionId, target), TargetNotFound);
    if (store !== undefined && store !== found.store)
      throw new TargetElsewhere(this.stores.for(store).title, this.stores.for(found.store).title);
    return { store: found.store, targetId: found.id };
  }

  /**
   * The targets that a version of the extension would go to. They stay locked until the transaction ends, so that no upload begins before the
   * version is pinned.
   * @param platform of which to return the versions, and where to be enabled; null for the target as a whole
   */
  async at(
    extensionId: string,
    { store, targetId }: Place,
    platform: string | null = null,
  ): Promise<readonly Destination[]> {
    // Of one store all are locked, in one order, so that none of the others is enabled meanwhile.
    const rows = await this.targets.findAllForUpdate(extensionId, store);
    const own = targetId === null ? rows : rows.filter(({ id }) => id === targetId);
    return own.map(({ id, store: at, storeItemId, channel, releaseNotes, platforms, status, ...target }) => {
      const enabled = target.enabled && (platform === null || platforms.includes(platform));
      const { desiredVersion, liveVersion, submittedVersion } =
        platform === null ? status : platformStatusOf(status, platform);
      const versions = { desiredVersion, liveVersion, submittedVersion };
      const item = { storeItemId, channel: channelOrNull(channel) };
      return { targetId: id, store: at, ...item, releaseNotes, enabled, ...versions };
    });
  }

  /**
   * @throws SeveralTargets when a version would go to several targets of one store, which hardly ever is what its author means; TargetNotFound when
   * the one that was named has been deleted
   */
  assertClear(destinations: readonly Destination[], { targetId }: Place): void {
    if (targetId !== null) {
      if (destinations.length === 0) throw new TargetNotFound();
      return;
    }
    const enabled = destinations.filter((one) => one.enabled);
    for (const { store } of enabled) {
      const there = enabled.filter((one) => one.store === store);
      if (there.length > 1) throw new SeveralTargets(this.stores.for(store).title, there);
    }
  }

  /** The places of an extension at each store: its enabled targets, or all where none is enabled. */
  async placesOf(
    extensionId: string,
  ): Promise<
    readonly Pick<Destination, 'targetId' | 'store' | 'storeItemId' | 'channel' | 'enabled' | 'liveVersion'>[]
  > {
    const rows = await this.targets.findAll(extensionId);
    return rows
      .filter(({ enabled, store }) => enabled || !rows.some((one) => one.store === store && one.enabled))
      .map(({ id, store, storeItemId, channel, enabled, status: { liveVersion } }) => ({
        targetId: id,
        store,
        storeItemId,
        channel: channelOrNull(channel),
        enabled,
        liveVersion,
      }));
  }

  /** Counts the targets of an extension at a store, enabled or not. */
  async countAt(extensionId: string, store: StoreId): Promise<number> {
    return (await this.targets.findAll(extensionId)).filter((one) => one.store === store).length;
  }

  /** Makes targets due at once because a version was pinned; part of the push's transaction. @param platform that of an app; null for all */
  pinned(extensionId: string, place: Place, platform: string | null, version: string): Promise<void> {
    return this.targets.pin(extensionId, { ...place, platform }, version, this.clock.now());
  }

  /** Makes the targets due at once for which this version is pinned, when what they waited for has arrived. Part of the caller's transaction. */
  makeDue(extensionId: string, place: Place, version: string): Promise<void> {
    return this.targets.makeDue(extensionId, place, version, this.clock.now());
  }
}

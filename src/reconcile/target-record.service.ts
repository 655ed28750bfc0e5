import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { compareVersions, Stores, type FailureKind } from '../stores/index.js';
import { EventsService } from '../registry/index.js';
import {
  ItemEnabledTwice,
  TargetsRepository,
  TargetStatusRepository,
  type KnownTarget,
  withoutOverwriting,
  withTrack,
  type LeasedTarget,
  type Phase,
  type TargetStatus,
} from '../targets/index.js';
import { told, type Knowledge, type Look } from './planning/look.js';
import { nextCheck } from './planning/next-check.js';
import { progressOf } from './planning/stall.js';
import type { ReleaseEntity } from './releases/release.entity.js';
import { ReleasesService } from './releases/releases.service.js';

const HOUR_MS = 3_600_000;
/** A review that takes longer is told of; most stores decide within days (facts: stores 7.3). */
const STUCK_AFTER_MS = 10 * 24 * HOUR_MS;

/** A target, or one platform of it. */
export type At = Pick<Knowledge, 'target' | 'platform'>;

/** What is to be written of a target. */
type Settled = Partial<TargetStatus> & {
  /** The store is looked at by then, were its usual turn later. */
  readonly lookBy?: Date | undefined;
};

/** What an event keeps of how the target came to stand where it does. */
interface Told {
  readonly raw?: unknown;
  readonly cause?: FailureKind;
  /** Of a refusal: whether the store said the same before. */
  readonly isRepeated?: boolean;
}

/** Writes down what became of a target, under its lease and inside the transaction under way, and tells the timeline. */
@Injectable()
export class TargetRecord {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly stores: Stores,
    private readonly targets: TargetsRepository,
    private readonly statuses: TargetStatusRepository,
    private readonly releases: ReleasesService,
    private readonly events: EventsService,
  ) {}

  /** Whether another enabled target is known to publish to an item. */
  isItemTaken(target: KnownTarget, itemKey: string): Promise<boolean> {
    return this.targets.isItemTaken(target, itemKey);
  }

  /** Notes the key of a target's item. False when another enabled target has the item. */
  async identify(target: KnownTarget, itemKey: string): Promise<boolean> {
    try {
      await this.targets.setItemKey(target, itemKey);
      return true;
    } catch (error) {
      if (error instanceof ItemEnabledTwice) return false;
      throw error;
    }
  }

  /** Tells once that a review takes unusually long. */
  async remind({ target, platform, store, plan }: Look, release: ReleaseEntity): Promise<void> {
    const now = this.clock.now();
    const isStuck = plan.phase === 'in_review' && now.getTime() - release.stateAt.getTime() >= STUCK_AFTER_MS;
    if (!isStuck || release.state !== 'in_review' || release.remindedAt !== null) return;
    await this.releases.move(release, null, { remindedAt: now });
    await this.events.append({
      extensionId: target.extensionId,
      targetId: target.id,
      version: release.version,
      kind: 'stuck_in_review',
      message: told(
        store,
        platform,
        `Version ${release.version} has been in review since ${release.stateAt.toISOString()}. Look at the store's dashboard, or ask its support.`,
      ),
      data: { since: release.stateAt },
    });
  }

  /**
   * Writes what became of the target; the timeline is told when its phase or message changed.
   * @param cause kept on the event; a refusal that is not repeated is told like another phase, also in the same one
   * @returns the target as it then stands
   */
  async settle(
    { target, platform }: At,
    current: LeasedTarget,
    { lookBy, ...update }: Settled,
    cause: Told = {},
  ): Promise<LeasedTarget> {
    const { status } = target;
    const { phase, message } = { ...status, ...update };
    const looks = update.looks ?? (phase === status.phase ? status.looks + 1 : 1);
    const failures = update.failures ?? status.failures;
    const notBefore = update.notBefore === undefined ? status.notBefore : update.notBefore;
    const repeats = phase === 'backing_off' ? failures : looks;
    const nextCheckAt = update.nextCheckAt ?? earlier(this.nextLook(phase, repeats, notBefore), lookBy);
    const settled = { ...status, ...update, looks, nextCheckAt, notBefore };
    const combined = platform === null ? settled : withTrack(settled, platform, settled);
    const stalledAfterMs = this.config.stalledAfterHours * HOUR_MS;
    const { hasStalled, stallsAt, ...progress } = progressOf(
      status,
      { ...combined, paused: target.paused },
      this.clock.now(),
      stalledAfterMs,
    );
    const whole = { ...combined, ...progress, nextCheckAt: earlier(combined.nextCheckAt, stallsAt) };
    await this.statuses.update(target.id, withoutOverwriting(current, target, whole));
    const standing = { ...target, status: { ...settled, ...progress, tracks: whole.tracks } };
    if (hasStalled) await this.tellStalled(target, whole);
    if (phase === status.phase && message === status.message) return standing;
    await this.events.append({
      extensionId: target.extensionId,
      targetId: target.id,
      version: versionTold(settled),
      kind: phase === status.phase && cause.isRepeated !== false ? 'observed' : `phase_${phase}`,
      message: told(this.stores.for(target.store), platform, message),
      data: { from: status.phase, to: phase, ...cause },
    });
    return standing;
  }

  private async tellStalled(
    { extensionId, id, store }: LeasedTarget,
    { desiredVersion, waitingSince, message }: TargetStatus,
  ): Promise<void> {
    const { title } = this.stores.for(store);
    const what = desiredVersion === null ? 'The target' : `Version ${desiredVersion}`;
    const since = `has made no progress since ${waitingSince?.toISOString()}`;
    await this.events.append({
      extensionId,
      targetId: id,
      version: desiredVersion,
      kind: 'stalled',
      message: `${title}: ${what} ${since}. ${message}`,
      data: { since: waitingSince },
    });
  }

  /** When a target in this phase is looked at again. */
  nextLook(phase: Phase, repeats: number, notBefore: Date | null): Date | null {
    const reviewMs = this.config.reviewCheckSeconds * 1000;
    return nextCheck(phase, repeats, this.clock.now(), notBefore, Math.random(), reviewMs);
  }
}

const earlier = (one: Date | null, other: Date | undefined): Date | null =>
  one !== null && other !== undefined && other < one ? other : one;

/** The version that an event is about: the pinned one, but of a target that is live the one that is live. */
function versionTold({ phase, desiredVersion, liveVersion }: TargetStatus): string | null {
  const isPinned =
    desiredVersion === null || liveVersion === null || compareVersions(liveVersion, desiredVersion) === 0;
  return phase === 'live' && !isPinned ? liveVersion : desiredVersion;
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PinnedArtifact } from '../../artifacts/index.js';
import { Clock } from '../../common/system/index.js';
import { IsNull } from 'typeorm';
import { newRow, Transactions } from '../../common/database/index.js';
import { ABSENT_ID, readPage, type Page, type PageQuery } from '../../common/fields/index.js';
import { compareVersions, type Observed } from '../../stores/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { TargetsService, type KnownTarget, type LeasedTarget } from '../../targets/index.js';
import { itemOf } from '../planning/look.js';
import { isSettling } from '../planning/situation.js';
import type { Release } from '../reconcile.dto.js';
import { ReleaseEntity } from './release.entity.js';
import { canMove, hasFailed, type ReleaseState } from '../planning/release-state.js';

/** Earlier releases of a target that may still be at the store. */
const REMEMBERED = 20;

interface MatrixRow {
  readonly version: string;
  readonly newest: string;
  readonly targets: Release['targets'];
}

/** Each version's way to each target. */
@Injectable()
export class ReleasesService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
  ) {}

  onModuleInit(): void {
    this.targets.relisted.add((target) => this.forgetListing(target));
  }

  /** The releases of the target's present item and channel, newest first; of one platform where each has its own. */
  async of(
    { id: targetId, storeItemId, channel }: KnownTarget,
    platform: string | null,
  ): Promise<readonly ReleaseEntity[]> {
    if (storeItemId === null) return [];
    const where = { targetId, storeItemId, channel, platform: platform ?? IsNull() };
    return this.tx.repository(ReleaseEntity).find({ where, order: { id: 'DESC' }, take: REMEMBERED });
  }

  /**
   * The release of a pinned version: the newest one of it, unless it ended badly before the target was enabled anew, or was replaced.
   * @returns null when the version has yet to set out
   */
  currentOf(releases: readonly ReleaseEntity[], target: KnownTarget, pinned: PinnedArtifact): ReleaseEntity | null {
    const newest = releases.find(({ version }) => compareVersions(version, pinned.storeVersion) === 0);
    if (newest === undefined || newest.state === 'superseded') return null;
    const isFromBefore = target.enabledAt !== null && newest.stateAt < target.enabledAt;
    return hasFailed(newest.state) && isFromBefore ? null : newest;
  }

  /** Lets a version set out, inside the transaction that records the first look at it. */
  async begin(target: LeasedTarget, platform: string | null, pinned: PinnedArtifact): Promise<ReleaseEntity> {
    const now = this.clock.now();
    const row = Object.assign(new ReleaseEntity(), newRow(now), {
      extensionId: target.extensionId,
      targetId: target.id,
      storeItemId: itemOf({ target, platform, release: null }).storeItemId,
      channel: target.channel,
      platform,
      artifactId: pinned.id,
      version: pinned.storeVersion,
      state: 'queued' as const,
      stateAt: now,
      isOurs: false,
      verdictBefore: null,
      handles: {},
      intent: null,
      rollout: null,
      refusal: null,
      remindedAt: null,
    });
    await this.tx.repository(ReleaseEntity).insert(row);
    return row;
  }

  /** Moves a release and whatever else is said of it, inside the transaction under way. A move that no table allows is left out. */
  async move(
    release: ReleaseEntity,
    to: ReleaseState | null,
    also: Partial<
      Pick<
        ReleaseEntity,
        'handles' | 'intent' | 'isOurs' | 'verdictBefore' | 'artifactId' | 'rollout' | 'refusal' | 'remindedAt'
      >
    > = {},
  ): Promise<void> {
    const now = this.clock.now();
    const moves = to !== null && to !== release.state && canMove(release.state, to);
    Object.assign(release, also, moves ? { state: to, stateAt: now } : {}, { updatedAt: now });
    await this.tx.repository(ReleaseEntity).update(
      { id: release.id },
      {
        state: release.state,
        stateAt: release.stateAt,
        updatedAt: release.updatedAt,
        handles: release.handles,
        intent: release.intent,
        isOurs: release.isOurs,
        verdictBefore: release.verdictBefore,
        artifactId: release.artifactId,
        rollout: release.rollout,
        refusal: release.refusal,
        remindedAt: release.remindedAt,
      },
    );
  }

  /** Notes what a look shows of the releases that are no longer wanted: still in review, live after all, or gone. */
  async followOthers(
    releases: readonly ReleaseEntity[],
    current: ReleaseEntity | null,
    observed: Observed,
  ): Promise<void> {
    for (const release of releases) {
      if (release.id === current?.id) continue;
      const shown = shownState(release, observed, this.clock.now());
      if (shown !== null && shown !== release.state) await this.move(release, shown, { intent: null });
    }
  }

  /** What a public id that is no longer the target's showed is not known: what Pierhead sent last is presumed in review again, and nothing is live. */
  private async forgetListing({ id, storeItemId }: Pick<KnownTarget, 'id' | 'storeItemId'>): Promise<void> {
    const isLastSent =
      'is_ours and id = (select id from release where target_id = $1 and store_item_id = $2 order by id desc limit 1)';
    await this.tx.query(
      `update release
          set state = case when ${isLastSent} then 'in_review' else 'superseded' end, state_at = $3, updated_at = $3
        where target_id = $1 and store_item_id = $2 and (state = 'live' or state = 'superseded' and ${isLastSent})`,
      [id, storeItemId, this.clock.now()],
    );
  }

  /**
   * The matrix of versions and targets, the newest version first. Of a target that was pointed at another item or channel meanwhile, it
   * shows what is known of the present one, and of an earlier one only where there is nothing else.
   * @throws ExtensionNotFound
   */
  async matrix(tenantId: string, extensionId: string, query: PageQuery): Promise<Page<Release>> {
    await this.extensions.mustExist(tenantId, extensionId);
    const { limit, after } = readPage(query);
    const rows = await this.tx.query<MatrixRow>(
      `with page as (
         select version, id as newest from release
          where extension_id = $1 and id < $2
            and not exists (select from release later
                             where later.extension_id = $1 and later.version = release.version and later.id > release.id)
          order by id desc limit $3
       ), latest as (
         select distinct on (release.version, release.target_id, release.platform)
                page.newest, release.version, release.target_id, target.store, release.platform, release.state, release.state_at
           from page join release on release.extension_id = $1 and release.version = page.version
                     join target on target.id = release.target_id
          order by release.version, release.target_id, release.platform,
                   (release.store_item_id is not distinct from target.store_item_id and release.channel = target.channel) desc, release.id desc
       )
       select version, newest,
              json_agg(json_build_object('store', store, 'targetId', target_id, 'platform', platform, 'state', state, 'at', state_at) order by store, target_id, platform) as targets
         from latest group by version, newest order by newest desc`,
      [extensionId, after, limit + 1],
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1)?.newest ?? ABSENT_ID;
    return {
      items: shown.map(({ version, targets }) => ({
        version,
        targets: targets.map((each) => ({ ...each, at: new Date(each.at) })),
      })),
      nextCursor: rows.length > limit ? Buffer.from(last).toString('base64url') : null,
    };
  }
}

const ON_THE_WAY: ReadonlySet<ReleaseState> = new Set(['queued', 'uploading', 'processing', 'submitting']);
const AT_THE_STORE: ReadonlySet<ReleaseState> = new Set(['in_review', 'approved', 'releasing', 'live']);

/** The store does not show yet that it was asked to release it. */
const isLate = ({ state, stateAt }: ReleaseEntity, shown: string, now: Date): boolean =>
  shown === 'approved' && state === 'releasing' && isSettling({ since: stateAt }, now);

/** The state in which a look shows a release that is not the pinned one; null when the look says nothing of it. */
function shownState(release: ReleaseEntity, { live, submission }: Observed, now: Date): ReleaseState | null {
  const isOf = (version: string | null | undefined): boolean =>
    version != null && compareVersions(version, release.version) === 0;
  if (live.known && isOf(live.value)) return 'live';
  const held = submission.known ? submission.value : null;
  if (held !== null && isOf(held.version)) {
    if (held.state === 'unknown' || isLate(release, held.state, now)) return null;
    // Whether Pierhead's own withdrawal arrived was not known until now.
    return held.state === 'cancelled' && release.intent?.step === 'cancel' ? 'superseded' : held.state;
  }
  if (ON_THE_WAY.has(release.state)) return 'superseded';
  return AT_THE_STORE.has(release.state) && live.known && submission.known ? 'superseded' : null;
}

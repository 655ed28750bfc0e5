import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { TargetWithStatus } from '../../targets/index.js';
import { sameVersion } from '../../artifacts/index.js';
import { significantVersion, type FailureKind } from '../../stores/index.js';
import type { Rejection } from './rejection.dto.js';
import type { ReleaseTarget } from '../reconcile.dto.js';
import { ReleaseEntity } from './release.entity.js';

/** Earlier releases of a target that may still be at the store. */
const REMEMBERED = 20;

/** A version with its state at each target, and the id of its newest release. */
export interface VersionReleasesRow {
  readonly id: string;
  readonly version: string;
  readonly targets: readonly (Omit<
    ReleaseTarget,
    'display' | 'at' | 'pushedAt' | 'submittedAt' | 'decidedAt' | 'liveAt' | 'rejection'
  > & {
    readonly at: string;
    readonly pushedAt: string;
    readonly rejection: Omit<Rejection, 'waysOn'>;
    /** The enabled target is driven to it. */
    readonly isPinned: boolean;
    readonly refusalKind: FailureKind | null;
    readonly isHeld: boolean;
  })[];
}

/** Releases: versions on their way to targets. */
@Injectable()
export class ReleasesRepository {
  constructor(private readonly tx: Transactions) {}

  /** The releases of the target's present item and channel, newest first; of one platform where each has its own. */
  async findRecent(
    { id: targetId, storeItemId, channel }: TargetWithStatus,
    platform: string | null,
  ): Promise<readonly ReleaseEntity[]> {
    if (storeItemId === null) return [];
    const where = { targetId, storeItemId, channel, platform: platform ?? IsNull() };
    return this.releases.find({ where, order: { id: 'DESC' }, take: REMEMBERED });
  }

  /** The newest release of a version at a target, by its number there: one for each platform. */
  async findNewest(targetId: string, version: string): Promise<readonly ReleaseEntity[]> {
    const where = { targetId, version: sameVersion(version) };
    const rows = await this.releases.find({ where, order: { id: 'DESC' } });
    return rows.filter((row, at) => rows.findIndex(({ platform }) => platform === row.platform) === at);
  }

  /** The newest release of a version that Pierhead submitted of the target's present item. */
  findSubmitted(
    { id: targetId, storeItemId }: Pick<TargetWithStatus, 'id' | 'storeItemId'>,
    version: string,
  ): Promise<ReleaseEntity | null> {
    const where = {
      targetId,
      storeItemId: storeItemId ?? '',
      version: sameVersion(version),
      submittedByPierhead: true,
    };
    return this.releases.findOne({ where, order: { id: 'DESC' } });
  }

  /** Writes the releases that are new or have changed. */
  async saveChanges(before: readonly ReleaseEntity[], after: readonly ReleaseEntity[]): Promise<void> {
    for (const release of after) {
      const previous = before.find(({ id }) => id === release.id);
      if (previous === undefined) await this.releases.insert(release);
      else if (previous !== release) await this.releases.update({ id: release.id }, release);
    }
  }

  /**
   * Resets what the target's previous public id showed: the version that Pierhead sent last is presumed in review again, and nothing is live.
   * Raw SQL: each row's new state depends on whether it is the newest.
   */
  async resetPublishedState(
    { id, storeItemId }: Pick<TargetWithStatus, 'id' | 'storeItemId'>,
    now: Date,
  ): Promise<void> {
    const isLastSent =
      'submitted_by_pierhead and id = (select id from release where target_id = $1 and store_item_id = $2 order by id desc limit 1)';
    await this.tx.query(
      `update release
          set state = case when ${isLastSent} then 'in_review' else 'superseded' end, state_at = $3, updated_at = $3
        where target_id = $1 and store_item_id = $2 and (state = 'live' or state = 'superseded' and ${isLastSent})`,
      [id, storeItemId, now],
    );
  }

  /**
   * The versions of an extension with their state at each target, the newest first. Raw SQL: one statement for any number of versions and
   * targets. Of a target that was pointed at another item or channel, it shows the present one, and an earlier one only where there is
   * nothing else.
   */
  listByVersion(extensionId: string, { limit, after }: PageStart): Promise<readonly VersionReleasesRow[]> {
    return this.tx.query<VersionReleasesRow>(
      `with page as (
         select version, id from release
          where extension_id = $1 and id < $2
            and not exists (select from release later
                             where later.extension_id = $1 and later.version = release.version and later.id > release.id)
          order by id desc limit $3
       ), latest as (
         select distinct on (release.version, release.target_id, release.platform)
                page.id, release.version, release.target_id, target.store, release.platform, release.state, release.state_at,
                release.artifact_id, sent.created_at as pushed_at, release.submitted_by_pierhead, release.refusal ->> 'message' as refusal,
                release.refusal ->> 'kind' as refusal_kind, release.handles,
                target.enabled and status.desired_version = release.version as is_pinned, reason.text, reason.recorded_by,
                reason.updated_at as recorded_at, live.id as live_id, live.version as live_version,
                release.state = 'failed' and target.store <> all(sent.uploaded_to) as number_free,
                target.release_mode = 'manual' and status.release_requested is distinct from release.version as is_held
           from page join release on release.extension_id = $1 and release.version = page.version
                     join target on target.id = release.target_id
                     join artifact sent on sent.id = release.artifact_id
                     join target_status status on status.target_id = target.id
                     left join rejection_reason reason on reason.release_id = release.id and reason.rejected_at = release.state_at
                                                      and release.state = 'rejected'
                     left join lateral (
                       select id, version from artifact
                        where extension_id = $1 and ${significantVersion('store_version')} = ${significantVersion('status.live_version')}
                          and store_version <> release.version
                          and scope in (target.store || ':' || target.id, target.store, 'any')
                        order by scope = 'any', scope = target.store limit 1
                     ) live on release.state in ('rejected', 'failed')
          order by release.version, release.target_id, release.platform,
                   (release.store_item_id is not distinct from target.store_item_id and release.channel = target.channel) desc, release.id desc
       )
       select version, id,
              json_agg(json_build_object('store', store, 'targetId', target_id, 'platform', platform, 'state', state, 'at', state_at, 'pushedAt', pushed_at,
                                           'artifactId', artifact_id, 'submittedByPierhead', submitted_by_pierhead, 'refusal', refusal, 'refusalKind', refusal_kind,
                                           'isHeld', is_held, 'isPinned', is_pinned, 'storeIds', handles, 'rejection', json_build_object('numberFree', number_free,
                                             'reason', case when text is not null then json_build_object('text', text, 'recordedBy', recorded_by, 'recordedAt', recorded_at) end,
                                             'live', case when live_id is not null then json_build_object('artifactId', live_id, 'version', live_version) end)) order by target_id, platform) as targets
         from latest group by version, id order by id desc`,
      [extensionId, after, limit + 1],
    );
  }

  private get releases() {
    return this.tx.repository(ReleaseEntity);
  }
}

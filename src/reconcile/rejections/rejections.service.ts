import { Injectable } from '@nestjs/common';
import { actorName } from '../../common/access/index.js';
import { newRow, timeOfChange, Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { Stores, type StoreId } from '../../stores/index.js';
import { TargetsService } from '../../targets/index.js';
import { ReleasesRepository, type RejectionReason, type ReleaseEntity } from '../releases/index.js';
import { RejectionReasonEntity } from './rejection-reason.entity.js';
import type { RecordRejection } from './rejections.dto.js';
import { VersionNotRejected } from './rejections.problems.js';
import { RejectionsRepository } from './rejections.repository.js';

/** The note about a rejection, and whether it has just changed. */
interface Recorded {
  readonly row: RejectionReasonEntity;
  readonly isNew: boolean;
}

/** Keeps why stores rejected versions, which most of them tell by mail alone. */
@Injectable()
export class RejectionsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
    private readonly stores: Stores,
    private readonly releases: ReleasesRepository,
    private readonly rejections: RejectionsRepository,
    private readonly events: EventsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Records why a target's store rejected a version, in place of what was recorded before. Repeating it changes nothing.
   * @throws VersionNotRejected for a version in any other state
   */
  async record(
    tenantId: string,
    extensionId: string,
    targetId: string,
    { version, platform, reason }: RecordRejection,
  ): Promise<RejectionReason> {
    return this.tx.run(async () => {
      const { store } = await this.targets.getOrThrow(tenantId, extensionId, targetId);
      await this.extensions.lock(extensionId);
      const { title } = this.stores.for(store);
      const newest = await this.releases.findNewest(targetId, version);
      const asked = newest.filter((one) => platform === undefined || one.platform === platform);
      const rejected = asked.filter(({ state }) => state === 'rejected');
      const recorded: Recorded[] = [];
      for (const release of rejected) recorded.push(await this.save(tenantId, store, release, reason));
      const [first] = recorded;
      if (first === undefined)
        throw new VersionNotRejected(
          version,
          platform === undefined ? title : `${title} (${platform})`,
          asked[0]?.state,
        );
      if (recorded.some(({ isNew }) => isNew))
        await this.events.append({
          extensionId,
          targetId,
          version,
          kind: 'rejection_reason_recorded',
          message: `${title} rejected version ${version}: ${reason}`,
          data: platform === undefined ? null : { platform },
        });
      return toReason(first.row);
    });
  }

  private async save(tenantId: string, store: StoreId, release: ReleaseEntity, text: string): Promise<Recorded> {
    const now = this.clock.now();
    const before = await this.rejections.find(release);
    if (before?.text === text) return { row: before, isNew: false };
    const { id: releaseId, stateAt: rejectedAt, extensionId, version } = release;
    const about = { extensionId, releaseId, rejectedAt, store, version, text, recordedBy: actorName() };
    const row = Object.assign(
      new RejectionReasonEntity(),
      before ?? newRow(now),
      about,
      before === null ? {} : { updatedAt: timeOfChange(before, now) },
    );
    await this.rejections.save(row);
    await this.audit.record(tenantId, 'rejection.recorded', row, {
      ...(before === null ? {} : { before }),
      after: row,
    });
    return { row, isNew: true };
  }
}

const toReason = ({ text, recordedBy, updatedAt }: RejectionReasonEntity): RejectionReason => ({
  text,
  recordedBy,
  recordedAt: updatedAt,
});

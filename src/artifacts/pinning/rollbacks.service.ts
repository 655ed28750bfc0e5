import { Injectable } from '@nestjs/common';
import { actingPerson, actorName } from '../../common/access/index.js';
import { Clock } from '../../common/system/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { compareVersions, versionFault, Stores } from '../../stores/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService } from '../../registry/index.js';
import { DestinationsService, TargetsService } from '../../targets/index.js';
import { ApprovalsService } from '../approvals/index.js';
import { ArtifactEntity } from '../artifact.entity.js';
import type { Artifact } from '../artifacts.dto.js';
import { RollbackNotOlder, RollbackNotSupported, VersionNotAccepted } from '../artifacts.problems.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { toArtifact } from '../artifacts.service.js';
import { scopeOf } from '../scope.js';
import type { RollBack } from './rollbacks.dto.js';
import { VersionsService } from './versions.service.js';

/** Rolls targets back to older versions, which some stores serve again under a new number. */
@Injectable()
export class RollbacksService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly artifacts: ArtifactsRepository,
    private readonly events: EventsService,
    private readonly stores: Stores,
    private readonly targets: TargetsService,
    private readonly destinations: DestinationsService,
    private readonly versions: VersionsService,
    private readonly audit: AuditLog,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Pins a new version that brings back an older one at the target's store, for the target alone where the store has others. */
  async rollBack(
    tenantId: string,
    extensionId: string,
    targetId: string,
    { to, version: asked, reason }: RollBack,
  ): Promise<Artifact> {
    return this.tx.run(async () => {
      const { store: storeId } = await this.targets.getOrThrow(tenantId, extensionId, targetId);
      const store = this.stores.for(storeId);
      if (!store.capabilities.rollback) throw new RollbackNotSupported(store.title);
      const fault = versionFault(asked, store.capabilities);
      if (fault !== null) throw new VersionNotAccepted(asked, store.title, fault);
      const isOnly = (await this.destinations.countAt(extensionId, storeId)) === 1;
      const place = { store: storeId, targetId: isOnly ? null : targetId };
      const request = { extensionId, version: asked, storeVersion: asked, place, build: null };
      const resolved = await this.versions.begin(request);
      const { version, destinations, pinnedAt } = resolved;
      this.versions.assertNewer(asked, destinations, true);
      const live = destinations.find((one) => one.targetId === targetId)?.liveVersion ?? asked;
      if (compareVersions(to, live) >= 0) throw new RollbackNotOlder(to, live, store.title);
      this.versions.assertSameContent(resolved, storeId, null);
      const fresh = newRow(this.clock.now());
      const row = Object.assign(new ArtifactEntity(), fresh, {
        extensionId,
        version,
        storeVersion: asked,
        scope: scopeOf(place),
        notes: reason,
        pushedBy: actorName(),
        pushedById: actingPerson(),
        rollbackOf: to,
        rollbackReason: reason,
        pinnedAt,
        uploadedTo: [storeId],
      });
      await this.artifacts.insert(row);
      await this.destinations.pinned(extensionId, place, null, asked);
      await this.approvals.askForPin(row, { act: 'rollback', commit: null, isUnchanged: false, destinations });
      await this.events.append({
        extensionId,
        targetId,
        version,
        kind: 'pinned',
        message: `${store.title}: version ${to} will be brought back as ${version}: ${reason}`,
      });
      await this.audit.record(tenantId, 'artifact.rolled_back', row, { after: row });
      return toArtifact(row);
    });
  }
}

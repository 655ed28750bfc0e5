import { Injectable } from '@nestjs/common';
import { InvalidRequest, orThrow } from '../../common/problems/index.js';
import { compareVersions } from '../../stores/index.js';
import { DestinationsService, TargetsService, type Destination } from '../../targets/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import { ArtifactNotFound } from '../artifacts.problems.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { BlobsRepository, PackageReader } from '../packages/index.js';
import type { KeptPackage } from '../package.tasks.js';
import { overlap, scopeOf } from '../scope.js';
import type { PackageDifferences } from './compare-packages.js';
import type { ArtifactChanges, ChangesQuery, ComparedVersion } from './comparison.dto.js';

/** Says what changed between versions, from what was kept of their packages when they were pushed. */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly blobs: BlobsRepository,
    private readonly reader: PackageReader,
    private readonly targets: TargetsService,
    private readonly destinations: DestinationsService,
  ) {}

  /** @throws ArtifactNotFound; InvalidRequest for a `since` of another extension; TargetNotFound */
  async compare(tenantId: string, id: string, { since, target }: ChangesQuery): Promise<ArtifactChanges> {
    const artifact = orThrow(await this.artifacts.findOwn(tenantId, id), ArtifactNotFound);
    const earlier =
      since === undefined
        ? await this.findEarlier(tenantId, artifact, target)
        : orThrow(await this.artifacts.findOwn(tenantId, since), ArtifactNotFound);
    if (earlier !== null && earlier.extensionId !== artifact.extensionId)
      throw new InvalidRequest([{ field: 'since', message: 'must be an artifact of the same extension.' }]);
    return {
      ...versionOf(artifact),
      since: earlier === null ? null : versionOf(earlier),
      changes: earlier === null ? null : await this.differences(earlier, artifact),
    };
  }

  /** What is live at the target, where one is named; else what is live where the artifact goes, or was pushed before it. */
  private async findEarlier(
    tenantId: string,
    artifact: ArtifactEntity,
    targetId: string | undefined,
  ): Promise<ArtifactEntity | null> {
    const live = await this.findLive(tenantId, artifact, targetId);
    return live === null && targetId === undefined ? this.findPushedBelow(tenantId, artifact) : live;
  }

  /** The highest version below the artifact's whose package was pushed for where it goes, that of the same scope first. */
  private async findPushedBelow(
    tenantId: string,
    { extensionId, storeVersion, scope }: ArtifactEntity,
  ): Promise<ArtifactEntity | null> {
    const [highest] = (await this.artifacts.findVersions(extensionId))
      .filter((one) => one.sha256 !== null && one.platform === '' && overlap(one.scope, scope))
      .filter((one) => compareVersions(one.storeVersion, storeVersion) < 0)
      .toSorted(
        (one, other) =>
          compareVersions(other.storeVersion, one.storeVersion) ||
          Number(other.scope === scope) - Number(one.scope === scope),
      );
    return highest === undefined ? null : this.artifacts.findOwn(tenantId, highest.id);
  }

  /** The highest version below the artifact's that is live where it goes, or at one target. */
  private async findLive(
    tenantId: string,
    { extensionId, storeVersion, scope }: ArtifactEntity,
    targetId: string | undefined,
  ): Promise<ArtifactEntity | null> {
    const places = targetId === undefined ? await this.destinations.placesOf(extensionId) : [];
    const live: Pick<Destination, 'targetId' | 'store' | 'liveVersion'>[] = places.filter((one) =>
      overlap(scope, scopeOf(one)),
    );
    if (targetId !== undefined) {
      const { store, status } = await this.targets.getOrThrow(tenantId, extensionId, targetId);
      live.push({ targetId, store, liveVersion: status.liveVersion });
    }
    const [highest] = live
      .flatMap(({ targetId: at, store, liveVersion }) =>
        liveVersion === null ? [] : [{ id: at, store, version: liveVersion }],
      )
      .filter(({ version }) => compareVersions(version, storeVersion) < 0)
      .toSorted((one, other) => compareVersions(other.version, one.version));
    return highest === undefined ? null : this.artifacts.findAt({ ...highest, extensionId }, highest.version);
  }

  private async differences(before: ArtifactEntity, after: ArtifactEntity): Promise<PackageDifferences | null> {
    const ids = [before, after].flatMap(({ blobId }) => (blobId === null ? [] : [blobId]));
    const packed = await this.blobs.findIndexes(ids);
    const [older, newer] = [packageOf(before, packed), packageOf(after, packed)];
    return older === null || newer === null ? null : this.reader.compare(older, newer);
  }
}

const versionOf = ({ id, version }: ArtifactEntity): ComparedVersion => ({ artifactId: id, version });

function packageOf({ blobId, manifest }: ArtifactEntity, packed: ReadonlyMap<string, Uint8Array>): KeptPackage | null {
  const index = packed.get(blobId ?? '');
  return manifest === null || index === undefined ? null : { manifest, index };
}

import { Injectable } from '@nestjs/common';
import { compareVersions, type StoreId } from '../stores/index.js';
import { ExtensionsService } from '../registry/index.js';
import { TargetsService, type Destination } from '../targets/index.js';
import { Clock } from '../common/system/index.js';
import { newRow } from '../common/database/index.js';
import type { PackageManifest } from './archive/manifest.js';
import { ArtifactEntity } from './artifact.entity.js';
import type { PushQuery } from './artifacts.dto.js';
import { VersionConflict } from './artifacts.problems.js';
import { ArtifactsRepository, type KnownVersion } from './artifacts.repository.js';

/** What is to be pinned, and where. */
interface PinRequest {
  readonly extensionId: string;
  /** As it is asked for. */
  readonly version: string;
  readonly storeVersion: string;
  /** Null for every store. */
  readonly store: StoreId | null;
}

/** A version that is about to be pinned: its name here, what was pushed of it for all, and where it would go. */
interface ResolvedVersion {
  readonly version: string;
  readonly forAll: Pick<ArtifactEntity, 'storeVersion' | 'sha256' | 'handedTo'> | null;
  readonly destinations: readonly Destination[];
}

/** Which versions are one and the same, and whose content they have at a store. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly clock: Clock,
    private readonly artifacts: ArtifactsRepository,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
  ) {}

  /**
   * Begins a pin, inside its transaction: until that ends, no other pin of the extension is made, and nothing is begun at the stores. What
   * stores take for one version, such as 1.0 and 1.0.0, keeps the name under which it was first pinned.
   * @throws ExtensionNotFound
   */
  async begin({ extensionId, version, storeVersion, store }: PinRequest): Promise<ResolvedVersion> {
    await this.extensions.lockForUpdate(extensionId);
    const destinations = await this.targets.destinations(extensionId, store);
    const known: readonly KnownVersion[] = await this.artifacts.findVersions(extensionId);
    const same =
      known.find((one) => compareVersions(one.storeVersion, storeVersion) === 0) ??
      known.find((one) => compareVersions(one.version, version) === 0);
    const name = same?.version ?? version;
    const forAll = known.find((one) => one.scope === 'any' && one.version === name) ?? null;
    return { version: name, forAll, destinations };
  }

  /** The version's row, locked, or a new one that is still to be saved; the extension is locked, so no other request makes it. */
  async findOrNew(
    { extension: extensionId, version, store }: Pick<PushQuery, 'extension' | 'version' | 'store'>,
    storeVersion: string,
  ): Promise<{ row: ArtifactEntity; isNew: boolean }> {
    const scope = store ?? 'any';
    const known = await this.artifacts.lockForUpdate(extensionId, version, scope);
    if (known !== null) return { row: known, isNew: false };
    const fresh = newRow(this.clock.now());
    const pin = { extensionId, version, storeVersion, scope, pinnedAt: fresh.createdAt };
    return { row: Object.assign(new ArtifactEntity(), fresh, pin), isNew: true };
  }

  save(row: ArtifactEntity, isNew: boolean): Promise<void> {
    return isNew ? this.artifacts.insert(row) : this.artifacts.update(row);
  }

  /** The manifest of the version that users have now, where its package was pushed here. */
  async liveManifest(extensionId: string, destinations: readonly Destination[]): Promise<PackageManifest | null> {
    const live = destinations.find(({ enabled, liveVersion }) => enabled && liveVersion !== null)?.liveVersion;
    return live == null ? null : this.artifacts.findManifest(extensionId, live);
  }
}

/** A store that was given the version as it was pushed for all will not take other content for it. @throws VersionConflict */
export function assertSameContent(
  { version, forAll, destinations }: ResolvedVersion,
  store: StoreId,
  sha256: string | null,
): void {
  if (forAll === null || forAll.sha256 === sha256) return;
  if (forAll.handedTo.includes(store) || isHeld(forAll, destinations)) throw new VersionConflict(version);
}

/** Whether a store shows the version itself, live or submitted. */
export const isHeld = (
  { storeVersion }: Pick<ArtifactEntity, 'storeVersion'>,
  destinations: readonly Destination[],
): boolean =>
  destinations.some(({ liveVersion, submittedVersion }) =>
    [liveVersion, submittedVersion].some((theirs) => theirs !== null && compareVersions(theirs, storeVersion) === 0),
  );

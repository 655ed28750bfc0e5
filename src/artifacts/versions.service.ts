import { Injectable } from '@nestjs/common';
import { Transactions } from '../common/database/index.js';
import { compareVersions, type StoreId } from '../stores/index.js';
import { ExtensionsService } from '../registry/index.js';
import { TargetsService, type Destination } from '../targets/index.js';
import { ArtifactEntity } from './artifact.entity.js';
import { VersionConflict } from './artifacts.problems.js';

/** What is to be pinned, and where. */
interface Wish {
  readonly extensionId: string;
  /** As it is asked for. */
  readonly version: string;
  readonly storeVersion: string;
  /** Null for every store. */
  readonly store: StoreId | null;
}

/** A version that is about to be pinned: its name here, what was pushed of it for all, and where it would go. */
interface Named {
  readonly version: string;
  readonly forAll: Pick<ArtifactEntity, 'storeVersion' | 'sha256' | 'handedTo'> | null;
  readonly destinations: readonly Destination[];
}

/** Which versions are one and the same, and whose content they have at a store. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
  ) {}

  /**
   * Begins a pin, inside its transaction: until that ends, no other pin of the extension is made, and nothing is begun at the stores. What
   * stores take for one version, such as 1.0 and 1.0.0, keeps the name under which it was first pinned.
   * @throws ExtensionNotFound
   */
  async begin({ extensionId, version, storeVersion, store }: Wish): Promise<Named> {
    await this.extensions.lockForUpdate(extensionId);
    const destinations = await this.targets.destinations(extensionId, store);
    const known = await this.tx.repository(ArtifactEntity).find({
      select: { version: true, storeVersion: true, scope: true, sha256: true, handedTo: true },
      where: { extensionId },
      order: { id: 'ASC' },
    });
    const same =
      known.find((one) => compareVersions(one.storeVersion, storeVersion) === 0) ??
      known.find((one) => compareVersions(one.version, version) === 0);
    const name = same?.version ?? version;
    const forAll = known.find((one) => one.scope === 'any' && one.version === name) ?? null;
    return { version: name, forAll, destinations };
  }
}

/** A store that was given the version as it was pushed for all will not take other content for it. @throws VersionConflict */
export function mustNotDivert({ version, forAll, destinations }: Named, store: StoreId, sha256: string | null): void {
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

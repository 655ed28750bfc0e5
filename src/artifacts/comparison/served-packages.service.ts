import { Injectable } from '@nestjs/common';
import { compareVersions, isVersion, StoreFailure, type Store } from '../../stores/index.js';
import { InvalidArchive, InvalidManifest, readIndex, unpackIndex, type PackageIndex } from '../archive/index.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { BlobsRepository } from '../packages/index.js';
import { differencesOf, type ServedDifferences } from './served-differences.js';

/** What is kept of a package that a store was sent. */
export interface SentPackage {
  /** As the store shows it. */
  readonly version: string;
  /** The version at the store that this one brings back, instead of a package. */
  readonly rollbackOf: string | null;
  /** Null where no package was pushed. */
  readonly index: PackageIndex | null;
}

/** A store serves what is no package of the version that it offers, although a browser may take it. */
export class UnreadableFile extends StoreFailure {
  constructor(
    readonly version: string,
    message: string,
    cause?: unknown,
  ) {
    super('retry', message, { cause });
  }
}

/** Compares what a store serves with what it was sent. */
@Injectable()
export class ServedPackagesService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly blobs: BlobsRepository,
  ) {}

  /** What is kept of an artifact that was sent; null where it is gone. */
  async find(artifactId: string): Promise<SentPackage | null> {
    const artifact = await this.artifacts.find(artifactId);
    if (artifact === null) return null;
    const { storeVersion: version, rollbackOf, blobId } = artifact;
    const packed = blobId === null ? undefined : (await this.blobs.findIndexes([blobId])).get(blobId);
    return { version, rollbackOf, index: packed === undefined ? null : await unpackIndex(packed) };
  }

  /**
   * Compares a file that a store serves with the package that it was sent.
   * @param version that the file is to be of; the package may be of an older one, which was brought back
   * @returns null where they are the same
   * @throws UnreadableFile for a file that is no package, or one of another version
   */
  async compare(
    sent: Pick<SentPackage, 'version'> & { readonly index: PackageIndex },
    version: string,
    path: string,
    { title }: Pick<Store, 'title'>,
  ): Promise<ServedDifferences | null> {
    const served = await readIndex(path).catch((error: unknown) => {
      if (!(error instanceof InvalidArchive || error instanceof InvalidManifest)) throw error;
      throw new UnreadableFile(version, `${title} sent a file that cannot be read: ${error.message}`, error);
    });
    const { version: found } = served.manifest;
    if (typeof found !== 'string' || !isVersion(found) || compareVersions(found, version) !== 0)
      throw new UnreadableFile(version, `${title} sent the file of another version.`);
    return differencesOf(sent.index, served, compareVersions(sent.version, version) !== 0);
  }
}

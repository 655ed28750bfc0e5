import { Injectable } from '@nestjs/common';
import { StoreFailure, type Store } from '../../stores/index.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { BlobsRepository, PackageReader } from '../packages/index.js';
import type { ServedDifferences } from './served-differences.js';

/** What is kept of a package that a store was sent. */
export interface SentPackage {
  /** As the store shows it. */
  readonly version: string;
  /** The version at the store that this one brings back, instead of a package. */
  readonly rollbackOf: string | null;
  /** As it is kept; null where no package was pushed. */
  readonly index: Uint8Array | null;
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
    private readonly reader: PackageReader,
  ) {}

  /** What is kept of an artifact that was sent; null where it is gone. */
  async find(artifactId: string): Promise<SentPackage | null> {
    const artifact = await this.artifacts.find(artifactId);
    if (artifact === null) return null;
    const { storeVersion: version, rollbackOf, blobId } = artifact;
    const index = blobId === null ? undefined : (await this.blobs.findIndexes([blobId])).get(blobId);
    return { version, rollbackOf, index: index ?? null };
  }

  /**
   * Compares a file that a store serves with the package that it was sent.
   * @param version that the file is to be of; the package may be of an older one, which was brought back
   * @returns null where they are the same
   * @throws UnreadableFile for a file that is no package, or one of another version
   */
  async compare(
    sent: Pick<SentPackage, 'version'> & { readonly index: Uint8Array },
    version: string,
    path: string,
    { title }: Pick<Store, 'title'>,
  ): Promise<ServedDifferences | null> {
    const { index, version: sentVersion } = sent;
    const compared = await this.reader.compareServed({ path, version, sent: { version: sentVersion, index } });
    if (compared.kind === 'fault')
      throw new UnreadableFile(version, `${title} sent a file that cannot be read: ${compared.message}`);
    if (compared.kind === 'other') throw new UnreadableFile(version, `${title} sent the file of another version.`);
    return compared.differences;
  }
}

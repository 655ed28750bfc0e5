import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { BlobStore, TemporaryFiles } from '../../common/storage/index.js';
import { within } from '../../common/net/index.js';
import { Clock, HOUR_MS, SECOND_MS } from '../../common/system/index.js';
import { newId } from '../../common/fields/index.js';
import { BlobsRepository, type PackageRead } from './blobs.repository.js';
import type { ReceivedPackage } from './receive-package.js';

/** Newer files may belong to a push that has not committed yet. */
const STRAY_AFTER_MS = 6 * HOUR_MS;
const START_MS = 2 * SECOND_MS;

/** Matches the keys of packages and sources. The blob store holds other blobs too. */
const PACKAGE = /^[0-9a-f]{2}\//;

/** Stores the files of artifacts, each content once, and deletes a file with the last artifact that refers to it. */
@Injectable()
export class PackagesService implements OnApplicationBootstrap {
  private readonly log = new Logger(PackagesService.name);

  constructor(
    private readonly clock: Clock,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly temporary: TemporaryFiles,
  ) {}

  /** Sweeps at start, and continues in the background when a slow or large bucket would delay it. */
  async onApplicationBootstrap(): Promise<void> {
    await within(START_MS, this.sweep()).catch(() => undefined);
  }

  /**
   * Moves a received file into the blob store and runs work with the id of the blob that then has this content. The file is in place before
   * work's transaction commits; if that fails, or another push brought the same content, it is removed again. Where the file of known content
   * has been lost, this one takes its place.
   * @param read of a package; null for sources
   */
  async store<T>(
    path: string,
    { sha256, read }: Pick<ReceivedPackage, 'sha256'> & { readonly read: PackageRead | null },
    work: (blobId: () => Promise<string>) => Promise<T>,
  ): Promise<T> {
    const id = newId();
    const key = `${sha256.slice(0, 2)}/${sha256}.${id}`;
    await this.blobStore.put(path, key);
    try {
      const lost = await this.lostKey(sha256);
      return await work(() => this.blobs.upsert({ id, sha256, key }, read, lost));
    } finally {
      if (!(await this.blobs.hasKey(key))) await this.blobStore.remove(key);
    }
  }

  /** Deletes blobs that nothing refers to any more; called after the commit that dropped the references. */
  async drop(blobIds: readonly string[]): Promise<void> {
    for (const id of blobIds) {
      const key = await this.blobs.deleteOrphan(id);
      if (key !== null) await this.blobStore.remove(key);
    }
  }

  /** Deletes blobs in the background. The next sweep retries what fails. */
  dropSoon(blobIds: readonly string[]): void {
    this.drop(blobIds).catch((error: unknown) => this.log.warn({ msg: 'blobs left for the sweep', err: error }));
  }

  /** Removes what crashes leave behind: blobs without artifacts, files without blobs, unfinished uploads. */
  @Interval('stray-package-cleanup', HOUR_MS)
  async sweep(): Promise<void> {
    try {
      const before = new Date(this.clock.now().getTime() - STRAY_AFTER_MS);
      await this.temporary.removeBefore(before);
      await this.drop(await this.blobs.findOrphans());
      for await (const { key, modifiedAt } of this.blobStore.list())
        if (PACKAGE.test(key) && modifiedAt < before && !(await this.blobs.hasKey(key)))
          await this.blobStore.remove(key);
    } catch (error) {
      this.log.error({ msg: 'sweep failed', err: error });
    }
  }

  /** The key of this content when its file is missing; null when the file exists, or the content is new. */
  private async lostKey(sha256: string): Promise<string | null> {
    const key = await this.blobs.findKey(sha256);
    if (key === null || (await this.blobStore.exists(key))) return null;
    this.log.warn({ msg: 'a lost package was pushed again', key });
    return key;
  }
}

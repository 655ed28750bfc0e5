import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { BlobStore, TemporaryFiles } from '../../common/storage/index.js';
import { Clock, HOUR_MS } from '../../common/system/index.js';
import { newId } from '../../common/fields/index.js';
import { BlobsRepository } from './blobs.repository.js';
import type { ReceivedPackage } from './receive-package.js';

/** Younger files may belong to a push that has not committed yet. */
const STRAY_AFTER_MS = 6 * HOUR_MS;

/** The keys of packages: other blobs in the store are not theirs. */
const PACKAGE = /^[0-9a-f]{2}\//;

/** The bytes behind artifacts: kept once per content, gone with the last artifact that refers to them. */
@Injectable()
export class PackagesService implements OnApplicationBootstrap {
  private readonly log = new Logger(PackagesService.name);

  constructor(
    private readonly clock: Clock,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly temporary: TemporaryFiles,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.sweep();
  }

  /**
   * Moves a received file into the blob store and runs work with the id of the blob that then has this content. The file is in place before
   * work's transaction commits; if that fails, or another push brought the same content, it is removed again. Where the file of known content
   * has been lost, this one takes its place.
   */
  async store<T>(
    path: string,
    { sha256 }: ReceivedPackage,
    work: (blobId: () => Promise<string>) => Promise<T>,
  ): Promise<T> {
    const id = newId();
    const key = `${sha256.slice(0, 2)}/${sha256}.${id}`;
    await this.blobStore.put(path, key);
    try {
      const lost = await this.lostKey(sha256);
      return await work(() => this.blobs.upsert(id, sha256, key, lost));
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

  /** The same without waiting; the next sweep finds what fails now. */
  dropSoon(blobIds: readonly string[]): void {
    this.drop(blobIds).catch((error: unknown) => this.log.warn({ msg: 'blobs left for the sweep', err: error }));
  }

  /** Removes what crashes have left behind: blobs without artifacts, files without blobs, uploads that never ended. */
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

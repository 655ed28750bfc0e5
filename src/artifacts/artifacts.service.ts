import type { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile, type OnModuleInit } from '@nestjs/common';
import { orThrow } from '../common/problems/index.js';
import { BlobStore } from '../common/storage/index.js';
import { Transactions } from '../common/database/index.js';
import { ExtensionsService, type ExtensionRef } from '../registry/index.js';
import type { ByteRange, PackageFormat, StoreId } from '../stores/index.js';
import { privacyFields } from './archive/index.js';
import type { ArtifactEntity } from './artifact.entity.js';
import type { Artifact, ArtifactList } from './artifacts.dto.js';
import { ArtifactNotFound, PackageLost } from './artifacts.problems.js';
import { ArtifactsRepository, type PinnedArtifact, type TargetRef } from './artifacts.repository.js';
import { PackagesService } from './packages/packages.service.js';
import { placeOf } from './scope.js';

const LISTED = 50;

const MEDIA_TYPES: Readonly<Record<PackageFormat, string>> = {
  zip: 'application/zip',
  crx: 'application/x-chrome-extension',
  pkg: 'application/octet-stream',
  ipa: 'application/octet-stream',
};

/** A package on its way to a client. */
export interface Download {
  readonly file: StreamableFile;
  readonly etag: string;
}

/** The versions that were pushed. */
@Injectable()
export class ArtifactsService implements OnModuleInit {
  private readonly log = new Logger(ArtifactsService.name);

  constructor(
    private readonly tx: Transactions,
    private readonly artifacts: ArtifactsRepository,
    private readonly blobs: BlobStore,
    private readonly extensions: ExtensionsService,
    private readonly packages: PackagesService,
  ) {}

  onModuleInit(): void {
    this.extensions.beforeDelete.add((extension) => this.forget(extension));
  }

  /** The 50 most recent, newest first. */
  async list(tenantId: string, extensionId: string): Promise<ArtifactList> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    const rows = await this.artifacts.findRecent(extensionId, LISTED);
    return { artifacts: rows.map(toArtifact) };
  }

  async get(tenantId: string, id: string): Promise<Artifact> {
    return toArtifact(await this.find(tenantId, id));
  }

  /** The package as it was pushed. @throws ArtifactNotFound, also for a pin without a package; PackageLost */
  async download(tenantId: string, id: string): Promise<Download> {
    const { version, format, sha256, size } = await this.find(tenantId, id);
    if (format === null || size === null) throw new ArtifactNotFound();
    const disposition = `attachment; filename="${version}.${format}"`;
    const file = new StreamableFile(await this.open(id), { type: MEDIA_TYPES[format], length: size, disposition });
    return { file, etag: `"${sha256}"` };
  }

  /** An artifact of an extension, as the engine needs one. */
  async getPinnable(tenantId: string, extensionId: string, id: string): Promise<PinnedArtifact> {
    const row = await this.find(tenantId, id);
    if (row.extensionId !== extensionId) throw new ArtifactNotFound();
    return row;
  }

  /** The newest pin for a target, or for one of its platforms. */
  pinnedFor(target: TargetRef, platform: string | null): Promise<PinnedArtifact | null> {
    return this.artifacts.findPinned(target, platform);
  }

  /**
   * Records that this content is about to be uploaded to a store. Part of the transaction that records the intent.
   * @returns false when other content has been pushed for the version since; the target must then be checked again
   */
  markUploading(artifact: PinnedArtifact, store: StoreId): Promise<boolean> {
    return this.artifacts.markUploading(artifact, store);
  }

  /** Records that a store has refused this content, so that the number of its version is free there. Part of the transaction that records the refusal. */
  unmarkUploading(artifact: PinnedArtifact, store: StoreId): Promise<void> {
    return this.artifacts.unmarkUploading(artifact, store);
  }

  /** Whether an artifact with other content than the pinned one was uploaded to a store. */
  async wasOtherContentUploaded(id: string, store: StoreId, pinned: PinnedArtifact): Promise<boolean> {
    return id !== pinned.id && this.artifacts.wasOtherContentUploaded(id, store, pinned);
  }

  /** Whether a version was pushed for a target, or rolled back to under this number. */
  async isPushed(target: TargetRef, storeVersion: string): Promise<boolean> {
    return (await this.artifacts.findAt(target, storeVersion)) !== null;
  }

  /** The bytes of an artifact's package, or some of them. */
  async open(id: string, range?: ByteRange): Promise<Readable> {
    return this.openBlob(await this.artifacts.findKey(id, 'blob'), 'package', range);
  }

  /** The bytes of an artifact's archive of sources. */
  async openSource(id: string): Promise<Readable> {
    return this.openBlob(await this.artifacts.findKey(id, 'sourceBlob'), 'sources');
  }

  /** Logs the key of a lost file; the problem does not name it, because tenants must not see keys. */
  private async openBlob(key: string | null, what: 'package' | 'sources', range?: ByteRange): Promise<Readable> {
    if (key === null) throw new ArtifactNotFound();
    try {
      return await this.blobs.open(key, range);
    } catch (error) {
      this.log.warn({ msg: 'blob cannot be opened', key, err: error });
      if (!(await this.blobs.exists(key))) throw new PackageLost(what);
      throw error;
    }
  }

  private async forget({ id }: ExtensionRef): Promise<void> {
    const blobs = await this.artifacts.blobsOf(id);
    this.tx.afterCommit(() => this.packages.dropSoon(blobs));
  }

  private async find(tenantId: string, id: string): Promise<ArtifactEntity> {
    return orThrow(await this.artifacts.findOwn(tenantId, id), ArtifactNotFound);
  }
}

export const toArtifact = (row: Omit<ArtifactEntity, 'extension' | 'blob' | 'sourceBlob'>): Artifact => ({
  id: row.id,
  extensionId: row.extensionId,
  version: row.version,
  storeVersion: row.storeVersion,
  ...placeOf(row.scope),
  format: row.format,
  platform: row.platform || null,
  buildNumber: row.buildNumber || null,
  sha256: row.sha256,
  size: row.size,
  sourceSha256: row.sourceSha256,
  sourceDueAt: row.sourceDueAt,
  notes: row.notes,
  localizedNotes: row.localizedNotes,
  justifications: row.justifications,
  privacyFields:
    row.justifications === null || row.manifest === null ? [] : privacyFields(row.manifest, row.justifications),
  reviewerNotes: row.reviewerNotes,
  pushedBy: row.pushedBy,
  pushedFrom: row.pushedFrom,
  commit: row.commit,
  pinnedAt: row.pinnedAt,
  rollbackOf: row.rollbackOf,
  manifest:
    row.manifest === null
      ? null
      : {
          name: row.manifest.name,
          manifestVersion: row.manifest.manifestVersion,
          permissions: row.manifest.permissions,
          hostPermissions: row.manifest.hostPermissions,
          geckoId: row.manifest.geckoId,
        },
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

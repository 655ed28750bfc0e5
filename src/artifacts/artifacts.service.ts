import type { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { BlobStore } from '../common/storage/index.js';
import { Transactions } from '../common/database/index.js';
import { ExtensionsService, type ExtensionRef } from '../registry/index.js';
import type { StoreId } from '../stores/index.js';
import { TargetsService } from '../targets/index.js';
import { ArtifactEntity } from './artifact.entity.js';
import type { Artifact, ArtifactList } from './artifacts.dto.js';
import { ArtifactNotFound, PackageLost } from './artifacts.problems.js';
import { PackagesService } from './packages.service.js';

const LISTED = 50;

/** A pinned version with its package, as the engine needs it. */
export type PinnedArtifact = Pick<
  ArtifactEntity,
  | 'id'
  | 'version'
  | 'storeVersion'
  | 'sha256'
  | 'size'
  | 'notes'
  | 'reviewerNotes'
  | 'sourceSha256'
  | 'sourceSize'
  | 'rollbackOf'
  | 'rollbackReason'
>;

/** The versions that were pushed. */
@Injectable()
export class ArtifactsService implements OnModuleInit {
  private readonly log = new Logger(ArtifactsService.name);

  constructor(
    private readonly tx: Transactions,
    private readonly blobs: BlobStore,
    private readonly extensions: ExtensionsService,
    private readonly packages: PackagesService,
    private readonly targets: TargetsService,
  ) {}

  onModuleInit(): void {
    this.extensions.deleting.add((extension) => this.forget(extension));
    this.targets.adding.add(async (target) => {
      target.status.desiredVersion = (await this.pinnedFor(target.extensionId, target.store))?.storeVersion ?? null;
    });
  }

  /** The 50 most recent, newest first. @throws ExtensionNotFound */
  async list(tenantId: string, extensionId: string): Promise<ArtifactList> {
    await this.extensions.mustExist(tenantId, extensionId);
    const rows = await this.tx
      .repository(ArtifactEntity)
      .find({ where: { extensionId }, order: { pinnedAt: 'DESC', id: 'DESC' }, take: LISTED });
    return { artifacts: rows.map(toArtifact) };
  }

  /** @throws ArtifactNotFound */
  async get(tenantId: string, id: string): Promise<Artifact> {
    return toArtifact(await this.find(tenantId, id));
  }

  /** The package, as it was pushed. @throws ArtifactNotFound, also for a pin without a package; PackageLost */
  async download(tenantId: string, id: string, response: Response): Promise<StreamableFile> {
    const row = await this.find(tenantId, id);
    if (row.size === null) throw new ArtifactNotFound();
    response.setHeader('ETag', `"${row.sha256}"`);
    return new StreamableFile(await this.open(row.id), {
      type: 'application/zip',
      length: row.size,
      disposition: `attachment; filename="${row.version}.zip"`,
    });
  }

  /** The newest pin for a store: the version last pinned, and of it the store's own artifact before the one for all. */
  async pinnedFor(extensionId: string, store: StoreId): Promise<PinnedArtifact | null> {
    const [pinned] = await this.tx.query<PinnedArtifact>(
      `with newest as (
         select version from artifact where extension_id = $1 and scope in ($2, 'any') order by pinned_at desc, id desc limit 1
       )
       select id, version, store_version as "storeVersion", sha256, size, notes, reviewer_notes as "reviewerNotes", source_sha256 as "sourceSha256",
              source_size as "sourceSize", rollback_of as "rollbackOf", rollback_reason as "rollbackReason"
         from artifact
        where extension_id = $1 and scope in ($2, 'any') and version = (select version from newest)
        order by scope = 'any' limit 1`,
      [extensionId, store],
    );
    return pinned ?? null;
  }

  /**
   * Notes, inside the transaction that records the intent, that a store is about to be given this content.
   * @returns false when other content has been pushed under the version meanwhile: then look again
   */
  async handOver(artifact: PinnedArtifact, store: StoreId, now: Date): Promise<boolean> {
    const rows = await this.tx.query(
      `update artifact set handed_over_at = coalesce(handed_over_at, $3),
              handed_to = case when $4 = any(handed_to) then handed_to else array_append(handed_to, $4) end
        where id = $1 and sha256 is not distinct from $2 returning id`,
      [artifact.id, artifact.sha256, now, store],
    );
    return rows.length === 1;
  }

  /** Whether an artifact was handed to a store and is other content than the pinned one. */
  async wasHandedOther(id: string, store: StoreId, pinned: PinnedArtifact): Promise<boolean> {
    if (id === pinned.id) return false;
    const rows = await this.tx.query(
      `select 1 from artifact
        where id = $1 and $2 = any(handed_to) and (sha256 is distinct from $3 or rollback_of is distinct from $4)`,
      [id, store, pinned.sha256, pinned.rollbackOf],
    );
    return rows.length === 1;
  }

  /** The bytes of an artifact's package. @throws ArtifactNotFound, PackageLost */
  async open(id: string): Promise<Readable> {
    const [found] = await this.tx.query<{ key: string }>(
      'select blob.key from artifact join blob on blob.id = artifact.blob_id where artifact.id = $1',
      [id],
    );
    if (found === undefined) throw new ArtifactNotFound();
    return this.openBlob(found.key, 'package');
  }

  /** The bytes of an artifact's archive of sources. @throws ArtifactNotFound, PackageLost */
  async openSource(id: string): Promise<Readable> {
    const [found] = await this.tx.query<{ key: string }>(
      'select blob.key from artifact join blob on blob.id = artifact.source_blob_id where artifact.id = $1',
      [id],
    );
    if (found === undefined) throw new ArtifactNotFound();
    return this.openBlob(found.key, 'sources');
  }

  /** The caller may be about to tell a customer, who is not to see the key. */
  private async openBlob(key: string, what: 'package' | 'sources'): Promise<Readable> {
    try {
      return await this.blobs.open(key);
    } catch (error) {
      this.log.warn({ msg: 'blob cannot be opened', key, err: error });
      if (!(await this.blobs.exists(key))) throw new PackageLost(what);
      throw error;
    }
  }

  private async forget({ id: extensionId }: ExtensionRef): Promise<void> {
    const rows = await this.tx.query<{ blob_id: string }>(
      `select blob_id from artifact where extension_id = $1 and blob_id is not null
       union select source_blob_id from artifact where extension_id = $1 and source_blob_id is not null`,
      [extensionId],
    );
    this.tx.afterCommit(() => this.packages.dropSoon(rows.map(({ blob_id }) => blob_id)));
  }

  private async find(tenantId: string, id: string): Promise<ArtifactEntity> {
    const row = await this.tx
      .repository(ArtifactEntity)
      .createQueryBuilder('artifact')
      .innerJoin('artifact.extension', 'extension')
      .where('artifact.id = :id and extension.tenantId = :tenantId', { id, tenantId })
      .getOne();
    if (row === null) throw new ArtifactNotFound();
    return row;
  }
}

export const toArtifact = (row: Omit<ArtifactEntity, 'extension' | 'blob' | 'sourceBlob'>): Artifact => ({
  id: row.id,
  extensionId: row.extensionId,
  version: row.version,
  store: row.scope === 'any' ? null : row.scope,
  sha256: row.sha256,
  size: row.size,
  sourceSha256: row.sourceSha256,
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

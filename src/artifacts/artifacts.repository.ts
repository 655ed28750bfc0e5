import { Injectable } from '@nestjs/common';
import { type FindOperator, In, IsNull, Not, Raw, type SelectQueryBuilder } from 'typeorm';
import { onConstraint, Transactions } from '../common/database/index.js';
import { significantVersion, type StoreId } from '../stores/index.js';
import type { TargetEntity } from '../targets/index.js';
import type { PackageManifest } from './archive/index.js';
import { ArtifactEntity } from './artifact.entity.js';
import { VersionConflict } from './artifacts.problems.js';
import { scopesAt } from './scope.js';

/** A pinned version with its package, as the engine needs it. */
export type PinnedArtifact = Pick<
  ArtifactEntity,
  | 'id'
  | 'extensionId'
  | 'version'
  | 'storeVersion'
  | 'format'
  | 'sha256'
  | 'contentSha256'
  | 'size'
  | 'notes'
  | 'localizedNotes'
  | 'reviewerNotes'
  | 'sourceSha256'
  | 'sourceSize'
  | 'sourceDueAt'
  | 'replacedAt'
  | 'rollbackOf'
  | 'rollbackReason'
  | 'findings'
  | 'platform'
  | 'buildNumber'
>;

/** What an artifact of a version is for, and of a signed package its platform and build number. */
export type ArtifactKey = Pick<ArtifactEntity, 'scope' | 'platform' | 'buildNumber'>;

/** An artifact's version numbers, and which stores have its content. */
export type PushedVersion = Pick<
  ArtifactEntity,
  | 'id'
  | 'version'
  | 'storeVersion'
  | 'scope'
  | 'platform'
  | 'buildNumber'
  | 'sha256'
  | 'contentSha256'
  | 'uploadedTo'
  | 'pinnedAt'
>;

/** A target, by what says which artifacts are for it. */
export type TargetRef = Pick<TargetEntity, 'id' | 'extensionId' | 'store'>;

/** Finds a version by its number, however many zeros it ends with. */
export const sameVersion = (version: string): FindOperator<string> =>
  Raw((column) => `${significantVersion(column)} = ${significantVersion(':version')}`, { version });

/** Versions that were pushed, with what was pushed of each. */
@Injectable()
export class ArtifactsRepository {
  constructor(private readonly tx: Transactions) {}

  /** The most recent, newest first. */
  findRecent(extensionId: string, limit: number): Promise<ArtifactEntity[]> {
    return this.artifacts.find({ where: { extensionId }, order: { pinnedAt: 'DESC', id: 'DESC' }, take: limit });
  }

  findOwn(tenantId: string, id: string): Promise<ArtifactEntity | null> {
    return this.own(tenantId, id).getOne();
  }

  find(id: string): Promise<ArtifactEntity | null> {
    return this.artifacts.findOneBy({ id });
  }

  /** Findings in an artifact's package. */
  findJudged(id: string): Promise<Pick<ArtifactEntity, 'extensionId' | 'storeVersion' | 'findings'> | null> {
    return this.artifacts.findOne({ select: { extensionId: true, storeVersion: true, findings: true }, where: { id } });
  }

  findOwnForUpdate(tenantId: string, id: string): Promise<ArtifactEntity | null> {
    return this.own(tenantId, id).setLock('pessimistic_write', undefined, ['artifact']).getOne();
  }

  /** All versions of an extension, in the order in which they were pushed. */
  findVersions(extensionId: string): Promise<PushedVersion[]> {
    return this.artifacts.find({
      select: {
        id: true,
        version: true,
        storeVersion: true,
        scope: true,
        platform: true,
        buildNumber: true,
        sha256: true,
        contentSha256: true,
        uploadedTo: true,
        pinnedAt: true,
      },
      where: { extensionId },
      order: { id: 'ASC' },
    });
  }

  /** Finds the artifact of a version, and locks it. */
  findVersionForUpdate(extensionId: string, version: string, key: ArtifactKey): Promise<ArtifactEntity | null> {
    return this.artifacts.findOne({ where: { extensionId, version, ...key }, lock: { mode: 'pessimistic_write' } });
  }

  /** The artifact that a target has of a version, by its number at the store: that of the narrowest scope. */
  async findAt({ extensionId, ...target }: TargetRef, storeVersion: string): Promise<ArtifactEntity | null> {
    const scopes = scopesAt(target);
    const found = await this.artifacts.findBy({
      extensionId,
      storeVersion: sameVersion(storeVersion),
      scope: In(scopes),
    });
    const rows = found.toSorted((one, other) => scopes.indexOf(one.scope) - scopes.indexOf(other.scope));
    // A signed package is not what zips are compared with.
    return rows.find(({ platform }) => platform === '') ?? rows[0] ?? null;
  }

  /** The manifest of a version by its number at stores, where a package of it was pushed. */
  async findManifest(extensionId: string, storeVersion: string): Promise<PackageManifest | null> {
    const row = await this.artifacts.findOneBy({
      extensionId,
      storeVersion: sameVersion(storeVersion),
      manifest: Not(IsNull()),
    });
    return row?.manifest ?? null;
  }

  /** @throws VersionConflict when the version exists already */
  async insert(row: ArtifactEntity): Promise<void> {
    await onConstraint(() => this.artifacts.insert(row), {
      artifact_extension_id_version_scope_platform_build_number_key: () => new VersionConflict(row.version, []),
    });
  }

  async update(row: ArtifactEntity): Promise<void> {
    await this.artifacts.update({ id: row.id }, row);
  }

  /**
   * The newest pin for a target, or for one of its platforms: the version that was last pinned, and of it the artifact of the narrowest scope, the
   * platform's newest signed package first. Raw SQL: one statement for all choices.
   */
  async findPinned({ extensionId, ...target }: TargetRef, platform: string | null): Promise<PinnedArtifact | null> {
    const [pinned] = await this.tx.query<PinnedArtifact>(
      `with newest as (
         select version from artifact where extension_id = $1 and scope = any($2) and ($3::text is null or platform in ('', $3)) order by pinned_at desc, id desc limit 1
       )
       select id, extension_id as "extensionId", version, store_version as "storeVersion", format, sha256, content_sha256 as "contentSha256", size, notes, localized_notes as "localizedNotes", reviewer_notes as "reviewerNotes", source_sha256 as "sourceSha256",
              source_size as "sourceSize", source_due_at as "sourceDueAt", replaced_at as "replacedAt", rollback_of as "rollbackOf", rollback_reason as "rollbackReason", findings,
              platform, build_number as "buildNumber"
         from artifact
        where extension_id = $1 and scope = any($2) and version = (select version from newest) and ($3::text is null or platform in ('', $3))
        order by array_position($2::text[], scope), platform = '', pinned_at desc limit 1`,
      [extensionId, scopesAt(target), platform],
    );
    return pinned ?? null;
  }

  /** Records that an upload of this content to a store begins. Raw SQL: it adds to an array. @returns false when the content has been replaced */
  async markUploading({ id, sha256 }: PinnedArtifact, store: StoreId): Promise<boolean> {
    const rows = await this.tx.query(
      `update artifact set uploaded_to = case when $3 = any(uploaded_to) then uploaded_to else array_append(uploaded_to, $3) end
        where id = $1 and sha256 is not distinct from $2 returning id`,
      [id, sha256, store],
    );
    return rows.length === 1;
  }

  /** Records that a store has refused this content, and holds no version of it. Raw SQL: it removes from an array. */
  async unmarkUploading({ id, sha256 }: PinnedArtifact, store: StoreId): Promise<void> {
    await this.tx.query(
      `update artifact set uploaded_to = array_remove(uploaded_to, $3) where id = $1 and sha256 is not distinct from $2`,
      [id, sha256, store],
    );
  }

  /** Whether an artifact with other content than the pinned one was uploaded to a store. Raw SQL: it compares nulls, and reads an array. */
  async wasOtherContentUploaded(id: string, store: StoreId, pinned: PinnedArtifact): Promise<boolean> {
    const rows = await this.tx.query(
      `select 1 from artifact
        where id = $1 and $2 = any(uploaded_to) and (content_sha256 is distinct from $3 or rollback_of is distinct from $4)`,
      [id, store, pinned.contentSha256, pinned.rollbackOf],
    );
    return rows.length === 1;
  }

  /** Finds the key of an artifact's package or sources in the blob store; null where there are none. */
  async findKey(id: string, what: 'blob' | 'sourceBlob'): Promise<string | null> {
    const row = await this.artifacts.findOne({ where: { id }, relations: { [what]: true } });
    return row?.[what]?.key ?? null;
  }

  /** The blobs that an extension's artifacts refer to. */
  async blobsOf(extensionId: string): Promise<readonly string[]> {
    const rows = await this.artifacts.find({ select: { blobId: true, sourceBlobId: true }, where: { extensionId } });
    const ids = rows.flatMap(({ blobId, sourceBlobId }) => [blobId, sourceBlobId]);
    return [...new Set(ids.filter((id) => id !== null))];
  }

  /** Counts the bytes of a tenant's packages and sources, each content once. Raw SQL: the database adds them up. */
  async storedBytes(tenantId: string): Promise<number> {
    const [kept] = await this.tx.query<{ readonly bytes: number }>(
      `with own as (
         select sha256, size, source_sha256, source_size from artifact
          where extension_id = any(array(select id from extension where tenant_id = $1)))
       select coalesce(sum(size), 0)::float8 as bytes
         from (select sha256, size from own union select source_sha256, source_size from own) as contents`,
      [tenantId],
    );
    return kept?.bytes ?? 0;
  }

  private own(tenantId: string, id: string): SelectQueryBuilder<ArtifactEntity> {
    return this.artifacts
      .createQueryBuilder('artifact')
      .innerJoin('artifact.extension', 'extension')
      .where('artifact.id = :id and extension.tenantId = :tenantId', { id, tenantId });
  }

  private get artifacts() {
    return this.tx.repository(ArtifactEntity);
  }
}

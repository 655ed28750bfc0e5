import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { sqlState, Transactions } from '../../common/database/index.js';
import { BlobEntity } from './blob.entity.js';

/** Parts of a package that are kept beside its file: its index, as `packIndex` writes it, and its icon; null where it has none. */
export interface PackageRead {
  readonly index: Uint8Array | null;
  readonly icon: Uint8Array | null;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Contents of packages and sources, each with its key in the blob store. */
@Injectable()
export class BlobsRepository {
  constructor(private readonly tx: Transactions) {}

  /** The key of a content; null when it is not known. */
  async findKey(sha256: string): Promise<string | null> {
    return (await this.blobs.findOneBy({ sha256 }))?.key ?? null;
  }

  /** Whether a content has this key. */
  hasKey(key: string): Promise<boolean> {
    return this.blobs.existsBy({ key });
  }

  /**
   * Saves a content with its key, unless it is known. Replaces a key whose file was lost. Raw SQL: an upsert that compares.
   * @param read of a package; null for sources
   * @returns the id of the blob that has this content
   */
  async upsert(
    { id, sha256, key }: Pick<BlobEntity, 'id' | 'sha256' | 'key'>,
    read: PackageRead | null,
    lostKey: string | null,
  ): Promise<string> {
    const [row] = await this.tx.query<{ id: string }>(
      `insert into blob (id, sha256, key, package_index, icon) values ($1, $2, $3, $4, $5)
       on conflict (sha256) do update set key = case when blob.key = $6 then excluded.key else blob.key end,
                                          package_index = coalesce(blob.package_index, excluded.package_index),
                                          icon = coalesce(blob.icon, excluded.icon)
       returning id`,
      [id, sha256, key, read?.index ?? null, read?.icon ?? null, lostKey],
    );
    if (row === undefined) throw new Error('An upsert returns its row');
    return row.id;
  }

  /** The packed indexes of packages, by the ids of their blobs; those of sources are left out. */
  async findIndexes(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const rows = await this.blobs.find({ select: { id: true, packageIndex: true }, where: { id: In([...ids]) } });
    return new Map(rows.flatMap(({ id, packageIndex }) => (packageIndex == null ? [] : [[id, packageIndex] as const])));
  }

  /** The icon of the newest version of an extension that has one. Raw SQL: one statement reads nothing but the icon. */
  async findIcon(extensionId: string): Promise<Buffer | null> {
    const [newest] = await this.tx.query<{ readonly icon: Buffer }>(
      `select blob.icon from artifact join blob on blob.id = artifact.blob_id
        where artifact.extension_id = $1 and blob.icon is not null
        order by artifact.pinned_at desc, artifact.id desc limit 1`,
      [extensionId],
    );
    return newest?.icon ?? null;
  }

  /** The blobs that no artifact refers to. */
  async findOrphans(): Promise<readonly string[]> {
    const rows = await this.tx.query<{ id: string }>(
      'select id from blob where not exists (select 1 from artifact where artifact.blob_id = blob.id or artifact.source_blob_id = blob.id)',
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes a blob that no artifact refers to. Raw SQL: one statement checks and deletes. @returns its key; null when it was kept */
  async deleteOrphan(id: string): Promise<string | null> {
    try {
      const [gone] = await this.tx.query<{ key: string }>(
        'delete from blob where id = $1 and not exists (select 1 from artifact where blob_id = $1 or source_blob_id = $1) returning key',
        [id],
      );
      return gone?.key ?? null;
    } catch (error) {
      // A concurrent push has just referred to the blob.
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) return null;
      throw error;
    }
  }

  private get blobs() {
    return this.tx.repository(BlobEntity);
  }
}

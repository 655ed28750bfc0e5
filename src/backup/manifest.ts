/** A table of a backup. A partition also names the table that it is part of, and the rows that belong in it, in PostgreSQL's words. */
export interface BackedUpTable {
  readonly name: string;
  readonly rows: number;
  readonly partition: { readonly of: string; readonly bounds: string } | null;
}

/** A package of a backup. */
export interface BackedUpPackage {
  /** Its key in the blob store. */
  readonly key: string;
  readonly sha256: string;
}

/** The manifest of a backup, which it contains as `manifest.json`. */
export interface BackupManifest {
  readonly format: 1;
  readonly createdAt: string;
  /** Version of Pierhead that wrote the backup. */
  readonly version: string;
  /** Migrations that had run on its tables, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly BackedUpTable[];
  /** `included`: the backup contains the packages. `bucket`: the bucket named here keeps them. */
  readonly packagesIn: 'included' | { readonly bucket: string };
  readonly packages: readonly BackedUpPackage[];
  /** Packages whose file was gone when the backup was written. */
  readonly missingPackages: readonly string[];
  /** Settings and ids of the keys without which nothing secret in the backup can be read. */
  readonly keys: readonly { readonly setting: string; readonly id: string }[];
}

/** A backup cannot be written, read or restored, for a reason that the operator can act on. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

/** Whose rows a table has: the tenant itself, its own, or those of something that is the tenant's. */
export type Owner = 'itself' | 'tenant' | 'extension' | 'license' | 'purchase' | 'target';

/** What an export contains of one table. */
export interface ExportedTable {
  /** The file's name in the archive, without `.ndjson`. */
  readonly file: string;
  readonly table: string;
  readonly owner: Owner;
  /** What identifies a row among those of its owner; the order of the file. */
  readonly key: readonly string[];
  /** What the file has, in SQL where it is no plain column of `t`. Digests, sealed secrets and leases stay behind: nothing is taken unless it is listed. */
  readonly columns: readonly string[];
}

/** The usual key, and the columns that most tables begin with. */
export const ID = ['id'] as const;
export const ROW = ['id', 'created_at', 'updated_at'] as const;

/** Who owns the rows of a table: the tenant (`itself` for its own row), or something that belongs to the tenant. */
export type Owner = 'itself' | 'tenant' | 'extension' | 'license' | 'purchase' | 'target';

/** What an export contains of one table. */
export interface ExportedTable {
  /** The file's name in the archive, without `.ndjson`. */
  readonly file: string;
  readonly table: string;
  readonly owner: Owner;
  /** What identifies a row among those of its owner; the order of the file. */
  readonly key: readonly string[];
  /** Columns of the file; SQL where one is not a plain column of `t`. A column that is not listed, such as a digest, a secret or a lease, is not exported. */
  readonly columns: readonly string[];
}

/** The usual key, and the columns that most tables have first. */
export const ID = ['id'] as const;
export const ROW = ['id', 'created_at', 'updated_at'] as const;

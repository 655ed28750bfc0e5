import type { EntityMetadata } from 'typeorm';
import { purposesOf, storedColumns, type ColumnMetadata } from '../../../common/database/index.js';

/** Owner of the rows of a table: the tenant (`itself` for its own row), or something that belongs to the tenant. */
export type Owner = 'itself' | 'tenant' | 'extension' | 'license' | 'purchase' | 'target';

/** A file of an export: its name in the archive, without `.ndjson`, and the table that it is made of. */
export interface ExportedFile {
  readonly file: string;
  readonly table: string;
  readonly owner: Owner;
}

/** The part of one table that an export contains. */
export interface ExportedTable extends ExportedFile {
  /** Columns that identify a row among those of its owner; the order of the file. */
  readonly key: readonly string[];
  /** Selected columns of the row `t`, or SQL that ends with a name. */
  readonly columns: readonly string[];
}

/** Returns what a file contains: the columns of the entity that are marked as exported. */
export function exportedTable(file: ExportedFile, entity: EntityMetadata): ExportedTable {
  const primary = entity.primaryColumns.map(({ databaseName }) => databaseName);
  const key = primary.filter((name) => name !== `${file.owner}_id`);
  return { ...file, key: key.length === 0 ? primary : key, columns: inOrderOfFile(entity).flatMap(selected) };
}

function inOrderOfFile(entity: EntityMetadata): readonly ColumnMetadata[] {
  const columns = storedColumns(entity).filter((column) => purposesOf(column).exported !== undefined);
  const isMoved = (column: ColumnMetadata): boolean => purposesOf(column).exported?.after !== undefined;
  const ordered = columns.filter((column) => !isMoved(column));
  for (const column of columns.filter(isMoved)) {
    const former = ordered.findIndex(({ propertyName }) => propertyName === purposesOf(column).exported?.after);
    ordered.splice(former + 1, 0, column);
  }
  return ordered;
}

function selected(column: ColumnMetadata): readonly string[] {
  const { query, joined = {} } = purposesOf(column).exported ?? {};
  return [
    query === undefined ? column.databaseName : `${query('t')} as ${column.databaseName}`,
    ...Object.entries(joined).map(([name, read]) => `(${read('t')}) as ${name}`),
  ];
}

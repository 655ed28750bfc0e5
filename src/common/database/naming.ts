import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

const nameOf = (table: Table | string): string => (typeof table === 'string' ? table : table.name).replace(/^.*\./, '');
const snake = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Returns the columns of some properties for raw SQL, under the names of the properties. @param table its name or alias */
export const selectList = (table: string, properties: readonly string[]): string =>
  properties.map((property) => `${table}.${snake(property)} as "${property}"`).join(', ');

/**
 * Names constraints as PostgreSQL does (`target_extension_id_store_key`), for readable errors and plans, and for `onConstraint`.
 */
export class ReadableNames extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snake([...prefixes, custom ?? property].join('_'));
  }

  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_idx`;
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snake(`${relation}_${referenced}`);
  }
}

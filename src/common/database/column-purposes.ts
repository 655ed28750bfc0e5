import type { EntityMetadata } from 'typeorm';

/** TypeORM's description of a column. */
export type ColumnMetadata = EntityMetadata['columns'][number];

/** Why an export of a tenant's data leaves something out. */
export type WhyNotExported =
  /** It says whose row it is. */
  | 'owner'
  /** It is a secret, or what a secret is recognized by. */
  | 'secret'
  /** It only directs workers. */
  | 'scheduling'
  /** It is derived from what is exported. */
  | 'derived'
  /** It belongs to a person, who may be in other tenants. */
  | 'person'
  /** It belongs to the service. */
  | 'service'
  /** It is about the tenant's leaving. */
  | 'leaving';

/**
 * Whom personal data is about: a buyer, erased with the last license, a member, deleted with the last tenant, or who wrote a review, kept while the
 * store lists it.
 */
export type Person = 'buyer' | 'member' | 'reviewer';

/** SQL of a value, given the alias of the row. */
type Query = (row: string) => string;

export interface ExportOptions {
  /** Reads another form of the column. */
  readonly query?: Query;
  /** Reads, by their names in the file, columns of what this one refers to. */
  readonly joined?: Readonly<Record<string, Query>>;
  /** The property that it follows in the file; the one before it in the entity if it is not given. */
  readonly after?: string;
}

export interface AuditOptions {
  /** The subject whose entries keep it; the one of the column's table if it is not given. */
  readonly of?: string;
  /** The field that entries keep in its place. */
  readonly as?: string;
}

/** Purposes that a column may serve. */
export interface Purposes {
  readonly exported?: ExportOptions;
  readonly notExported?: WhyNotExported;
  readonly audited?: AuditOptions;
  readonly personal?: readonly Person[];
}

const PURPOSES = Symbol('purposes');

/** The column is in the export of a tenant's data. */
export const Exported = (options: ExportOptions = {}): PropertyDecorator => marked({ exported: options });

/** The column, or the whole table, is not in the export of a tenant's data. */
export const NotExported = (because: WhyNotExported): ClassDecorator & PropertyDecorator =>
  marked({ notExported: because });

/** Entries of the audit log keep the column's value before and after a change. Nobody can erase an entry. */
export const Audited = (options: AuditOptions = {}): PropertyDecorator => marked({ audited: options });

/** The column, or each row of the table, tells who somebody is, and must not outlive the erasure of that person. */
export const Personal = (...of: readonly Person[]): ClassDecorator & PropertyDecorator => marked({ personal: of });

/** Returns the columns that a table has, without those that TypeORM computes. */
export const storedColumns = ({ columns }: EntityMetadata): readonly ColumnMetadata[] =>
  columns.filter(({ isVirtualProperty }) => !isVirtualProperty);

/** Returns what is declared of a column, and of its whole table. */
export function purposesOf({ entityMetadata: { target }, propertyName }: ColumnMetadata): Purposes {
  if (typeof target === 'string') return {};
  const [table, column] = [declared(target), declared(target.prototype as object, propertyName)];
  return { ...table, ...column, exported: table.notExported === undefined ? column.exported : undefined };
}

function marked(purposes: Purposes) {
  return (target: object, property?: string | symbol): void =>
    Reflect.defineMetadata(PURPOSES, { ...declared(target, property), ...purposes }, target, property as string);
}

function declared(target: object, property?: string | symbol): Purposes {
  return (Reflect.getMetadata(PURPOSES, target, property as string) as Purposes | undefined) ?? {};
}

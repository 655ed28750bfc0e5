import type { Schemas } from '../../api';
import type { FileImport } from './import-words';

/** Stands for a column that is not read. */
export const IGNORED = 'ignore';
/** Stands for every product that is not named, and for lines that are left out. */
export const [EVERY_PRODUCT, LEFT_OUT] = ['*', '-'];

/** What somebody said about a file and has not sent: by the names of columns, products and statuses. */
export interface Said {
  readonly columns: Readonly<Record<string, string>>;
  readonly tiers: Readonly<Record<string, string>>;
  readonly statuses: Readonly<Record<string, string>>;
}

export const NOTHING_SAID: Said = { columns: {}, tiers: {}, statuses: {} };

export const isNothing = (said: Said): boolean =>
  Object.values(said).every((part: Said[keyof Said]) => Object.keys(part).length === 0);

/** What a column holds, as it was said or else as the service reads it. */
export const heldBy = ({ name, field }: FileImport['columns'][number], { columns }: Said): string =>
  columns[name] ?? field ?? IGNORED;

/** The request that says it. The service reads a field that is named from the named columns alone, so all columns of such a field are named. */
export function previewOf({ columns }: Pick<FileImport, 'columns'>, said: Said): Schemas['PreviewImport'] {
  const named = new Set(Object.values(said.columns).filter((field) => field !== IGNORED));
  const changed = columns
    .filter((column) => said.columns[column.name] !== undefined || named.has(heldBy(column, said)))
    .map((column) => [column.name, heldBy(column, said)] as const);
  return {
    ...(changed.length > 0 && { columns: Object.fromEntries(changed) }),
    ...(Object.keys(said.tiers).length > 0 && { tiers: said.tiers }),
    ...(Object.keys(said.statuses).length > 0 && { statuses: said.statuses }),
  };
}

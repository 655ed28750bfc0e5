import type { FieldError } from '../../../common/problems/index.js';
import { IMPORT_COLUMNS } from '../../bulk/pure.js';
import { IMPORT_WORDS, type Field, type ImportWord, type ProfileName } from './profile.js';
import { columnTwice, LEAVE_OUT, proposeColumns, type Reading } from './reading.js';

/** What the owner of a file says about it. */
export interface SaidReading {
  readonly profile?: ProfileName;
  readonly columns?: Readonly<Record<string, string>>;
  readonly tiers?: Readonly<Record<string, string>>;
  readonly statuses?: Readonly<Record<string, string>>;
}

const IGNORE = 'ignore';

/** A reading after what was said, or the first fault of that. */
export type ChangedReading = Reading & { readonly fault: FieldError | null };

/** Changes how a file is read. Pure. @param plans the tiers of the plans */
export function changedReading(
  profile: ProfileName | null,
  { names, reading }: { readonly names: readonly string[]; readonly reading: Omit<Reading, 'profile'> },
  said: SaidReading,
  plans: readonly string[],
): ChangedReading {
  const isOther = said.profile !== undefined && said.profile !== profile;
  const proposed = isOther ? proposeColumns(said.profile ?? null, names) : reading.columns;
  const columns = withSaid(proposed, said.columns ?? {});
  const twice = columnTwice(columns, names);
  return {
    profile: said.profile ?? profile,
    columns,
    tiers: { ...reading.tiers, ...said.tiers },
    statuses: { ...reading.statuses, ...said.statuses } as Readonly<Record<string, ImportWord>>,
    fault:
      twice === null
        ? faultIn(names, said, plans)
        : { field: 'columns', message: `the file has the column ${quoted(twice)} twice. Rename one of them.` },
  };
}

/** Lets named fields be read from the named columns alone, and a column hold one field. */
function withSaid(columns: Reading['columns'], said: Readonly<Record<string, string>>): Reading['columns'] {
  const fields = new Set(Object.values(said));
  const kept = Object.entries(columns)
    .filter(([field]) => !fields.has(field))
    .map(([field, held]) => [field, held.filter((name) => !Object.hasOwn(said, name))] as const);
  const named = [...fields]
    .filter((field) => field !== IGNORE)
    .map((field) => [field, Object.keys(said).filter((name) => said[name] === field)] as const);
  return Object.fromEntries([...kept, ...named].filter(([, held]) => held.length > 0));
}

function faultIn(names: readonly string[], said: SaidReading, plans: readonly string[]): FieldError | null {
  const fields: readonly string[] = [...(IMPORT_COLUMNS satisfies readonly Field[]), IGNORE];
  const words: readonly string[] = IMPORT_WORDS;
  const column = Object.keys(said.columns ?? {}).find((name) => !names.includes(name));
  if (column !== undefined) return { field: 'columns', message: `the file has no column ${quoted(column)}.` };
  const field = Object.values(said.columns ?? {}).find((one) => !fields.includes(one));
  if (field !== undefined) return { field: 'columns', message: `${quoted(field)} is none of ${fields.join(', ')}.` };
  const tier = Object.values(said.tiers ?? {}).find((one) => one !== LEAVE_OUT && !plans.includes(one));
  if (tier !== undefined) return { field: 'tiers', message: `the extension has no plan for the tier ${quoted(tier)}.` };
  const word = Object.values(said.statuses ?? {}).find((one) => !words.includes(one));
  return word === undefined ? null : { field: 'statuses', message: `${quoted(word)} is none of ${words.join(', ')}.` };
}

const quoted = (text: string): string => JSON.stringify(text);

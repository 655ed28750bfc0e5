/** The values of fields, as JSON has them. */
export type Fields = Readonly<Record<string, unknown>>;

/** The kept fields before and after a change; null where there was no row, or none of its fields is kept. */
export interface KeptChange {
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/** The time of the change itself is not a change. */
const IGNORED = 'updatedAt';

/** Whether two states of a row differ in anything. Pure. */
export function hasChanged(before: object, after: object): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some((name) => name !== IGNORED && !isSame(valueIn(before, name), valueIn(after, name)));
}

/**
 * Returns what a change did to the fields that may be kept, and to no others: all of them where a row was made or deleted, those that differ
 * where it was changed. Pure.
 * @param keeps names of the fields that may be kept
 */
export function changedFields(
  keeps: readonly string[],
  before: object | undefined,
  after: object | undefined,
): KeptChange {
  const names =
    before === undefined || after === undefined
      ? keeps
      : keeps.filter((name) => !isSame(valueIn(before, name), valueIn(after, name)));
  return { before: picked(names, before), after: picked(names, after) };
}

function picked(names: readonly string[], row: object | undefined): Fields | null {
  if (row === undefined) return null;
  const present = names.filter((name) => valueIn(row, name) !== undefined);
  return present.length === 0 ? null : Object.fromEntries(present.map((name) => [name, valueIn(row, name)]));
}

const valueIn = (row: object, name: string): unknown => (Object.hasOwn(row, name) ? (row as Fields)[name] : undefined);

/** Compares as JSON, which dates, lists and null have in common with what is stored. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

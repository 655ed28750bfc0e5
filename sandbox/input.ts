/** A body of the wrong form. Each stand-in turns it into its store's error. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}

/** Reads one value, or throws `InvalidInput` with its name. */
export type Check<T> = (value: unknown, what: string) => T;

/** An object whose fields have not been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object; unknown names are refused when `allowed` is given, so that a misspelled name is never ignored. */
export function fields(value: unknown, what: string, allowed?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput(`${what} must be an object`);
  }
  const unknown = allowed && Object.keys(value).find((key) => !allowed.includes(key));
  if (allowed && unknown !== undefined) {
    throw new InvalidInput(`${what} has no "${unknown}"; it accepts ${allowed.join(', ')}`);
  }
  return { ...value };
}

/** A field that may be left out. */
export function optional<T>(from: Fields, key: string, check: Check<T>): T | undefined {
  const value = from[key];
  return value === undefined ? undefined : check(value, key);
}

/** A field that must be there. */
export function required<T>(from: Fields, key: string, check: Check<T>): T {
  const value = optional(from, key, check);
  if (value === undefined) throw new InvalidInput(`"${key}" is required`);
  return value;
}

/** A string. */
export const text: Check<string> = (value, what) => {
  if (typeof value !== 'string') throw new InvalidInput(`"${what}" must be a string`);
  return value;
};

/** `true` or `false`. */
export const flag: Check<boolean> = (value, what) => {
  if (typeof value !== 'boolean') throw new InvalidInput(`"${what}" must be true or false`);
  return value;
};

/** A whole number between two bounds, both included. */
export function integer(min: number, max: number): Check<number> {
  return (value, what) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw new InvalidInput(`"${what}" must be an integer from ${min} to ${max}`);
    }
    return value;
  };
}

/** One of a list of words. */
export function oneOf<const T extends string>(words: readonly T[]): Check<T> {
  return (value, what) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new InvalidInput(`"${what}" must be one of ${words.join(', ')}`);
    return word;
  };
}

/** A value or `null`. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, what) => (value === null ? null : check(value, what));
}

/** A list. */
export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value, what) => {
    if (!Array.isArray(value)) throw new InvalidInput(`"${what}" must be a list`);
    return value.map((entry: unknown, index) => check(entry, `${what}[${index}]`));
  };
}

/** A string of a given form. */
export const matching =
  (pattern: RegExp, form: string): Check<string> =>
  (value, what) => {
    const string = text(value, what);
    if (!pattern.test(string)) throw new InvalidInput(`"${what}" must be ${form}`);
    return string;
  };

/** An object whose fields are checked later. */
export const object: Check<Fields> = (value, what) => fields(value, what);

/** A number of things, calls or seconds. */
export const count = integer(0, 1_000_000_000);

/** How many ratings have one star, two, and so on. */
export const starCounts: Check<readonly number[]> = (value, what) => {
  const counts = listOf(count)(value, what);
  if (counts.length !== 5) throw new InvalidInput(`"${what}" must have five counts, from one star to five`);
  return counts;
};

/** The number of ratings and their mean, which is 0 without any. */
export function summaryOf(stars: readonly number[]): { readonly count: number; readonly mean: number } {
  const all = stars.reduce((sum, one) => sum + one, 0);
  const points = stars.reduce((sum, one, at) => sum + one * (at + 1), 0);
  return { count: all, mean: all === 0 ? 0 : points / all };
}

/** A check for each field of a type. */
export type Checks<T> = { readonly [Name in keyof T]: Check<T[Name]> };

/** The fields that are present. */
export function presentFields<T extends object>(from: Fields, checks: Checks<T>): Partial<T> {
  const read = Object.entries<Check<unknown>>(checks)
    .filter(([name]) => from[name] !== undefined)
    .map(([name, check]) => [name, check(from[name], name)]);
  return Object.fromEntries(read) as Partial<T>;
}

/** The JSON of a body, or `null` when it is not JSON. */
export function jsonOrNull(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

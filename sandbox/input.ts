/** A body that does not have the shape it must have; each door words it in its own protocol. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}

/** Reads one value or throws `InvalidInput` naming it. */
export type Check<T> = (value: unknown, what: string) => T;

/** An object whose fields were not looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object; unknown names are refused when `allowed` is given, so that a misspelt knob never passes silently. */
export function fields(value: unknown, what: string, allowed?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput(`${what} must be an object`);
  }
  const stranger = allowed && Object.keys(value).find((key) => !allowed.includes(key));
  if (allowed && stranger !== undefined) {
    throw new InvalidInput(`${what} has no "${stranger}"; it knows ${allowed.join(', ')}`);
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

/** The same, or `null`. */
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

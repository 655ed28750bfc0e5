const PART = '(?:0|[1-9]\\d{0,8})';

/**
 * A version that at least one store accepts: 1 to 4 dotted integers of up to nine digits without leading zeros, as Firefox requires
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/version).
 */
export const VERSION = new RegExp(`^${PART}(?:\\.${PART}){0,3}$`);

/** The numbers of a version that at least one store accepts, `null` for any other text. */
export function parseVersion(text: string): number[] | null {
  return VERSION.test(text) ? text.split('.').map(Number) : null;
}

/** Whether at least one store accepts `text` as a version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** A store's further restrictions on versions. */
export interface VersionRule {
  /** Largest count of numbers; zeros at the end do not count. */
  readonly mostVersionNumbers: number;
  /** The largest number in it. */
  readonly largestVersionNumber: number;
  /** Not all numbers may be 0, as in `0.0.0`. */
  readonly refusesVersionZero: boolean;
}

/** Why a store does not accept a version, as a clause; `null` when it does. */
export function versionFault(
  version: string,
  { mostVersionNumbers, largestVersionNumber, refusesVersionZero }: VersionRule,
): string | null {
  const numbers = parseVersion(version) ?? [];
  if (numbers.findLastIndex((number) => number !== 0) >= mostVersionNumbers)
    return `it may have at most ${mostVersionNumbers} numbers`;
  if (numbers.some((number) => number > largestVersionNumber))
    return `its numbers may be at most ${largestVersionNumber}`;
  return refusesVersionZero && numbers.every((number) => number === 0) ? 'one of its numbers must not be 0' : null;
}

/**
 * Orders two versions by their leading dotted numbers, where a missing one is 0, then by the text after them.
 * It accepts any text, because a store may report a version that Pierhead would refuse. `1.0b1` comes before `1.0`, as a beta.
 */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [dissect(a), dissect(b)];
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i++) {
    const [x, y] = [left.numbers[i] ?? '', right.numbers[i] ?? ''];
    if (x.length !== y.length) return x.length < y.length ? -1 : 1;
    if (x !== y) return x < y ? -1 : 1;
  }
  if (left.rest === right.rest) return 0;
  if (left.rest === '' || right.rest === '') return left.rest === '' ? 1 : -1;
  return left.rest < right.rest ? -1 : 1;
}

/** SQL for a version without the zeros at its end: 1.2 and 1.2.0 are the same there, as for `compareVersions`. @param sql a column or parameter */
export const significantVersion = (sql: string): string => String.raw`regexp_replace(${sql}, '(\.0+)+$', '')`;

/** Numbers without their leading zeros, as digits: a build number may be larger than numbers are exact. */
function dissect(version: string): { numbers: string[]; rest: string } {
  const head = /^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '';
  const numbers = head === '' ? [] : head.split('.').map((digits) => digits.replace(/^0+/, ''));
  return { numbers, rest: version.slice(head.length) };
}

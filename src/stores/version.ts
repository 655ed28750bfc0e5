const PART = '(?:0|[1-9]\\d{0,8})';

/**
 * A version as some store takes it: 1 to 4 dotted integers of up to nine digits without leading zeros, which is what Firefox asks for
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/version).
 */
export const VERSION = new RegExp(`^${PART}(?:\\.${PART}){0,3}$`);

/** The numbers of a version that some store takes; `null` of any other text. */
export function parseVersion(text: string): number[] | null {
  return VERSION.test(text) ? text.split('.').map(Number) : null;
}

/** Whether `text` is a version that some store takes. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** What a store asks of a version beyond that. */
export interface VersionRule {
  /** The largest number that may stand in it. */
  readonly largestVersionNumber: number;
  /** It may not be zero altogether, such as `0.0.0`. */
  readonly refusesVersionZero: boolean;
}

/** Why a store does not take a version, in half a sentence; `null` when it does. */
export function versionFault(
  version: string,
  { largestVersionNumber, refusesVersionZero }: VersionRule,
): string | null {
  const numbers = parseVersion(version) ?? [];
  if (numbers.some((number) => number > largestVersionNumber))
    return `its numbers may be at most ${largestVersionNumber}`;
  return refusesVersionZero && numbers.every((number) => number === 0) ? 'one of its numbers must not be 0' : null;
}

/**
 * Orders two versions: by their leading dotted numbers, a missing one being 0, then by the text after them.
 * It never throws, because a store may report what we would refuse: `1.0b1` stands before `1.0`, as a beta does.
 */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [dissect(a), dissect(b)];
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i++) {
    const [x, y] = [left.numbers[i] ?? 0, right.numbers[i] ?? 0];
    if (x !== y) return x < y ? -1 : 1;
  }
  if (left.rest === right.rest) return 0;
  if (left.rest === '' || right.rest === '') return left.rest === '' ? 1 : -1;
  return left.rest < right.rest ? -1 : 1;
}

function dissect(version: string): { numbers: number[]; rest: string } {
  const head = /^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '';
  return { numbers: head === '' ? [] : head.split('.').map(Number), rest: version.slice(head.length) };
}

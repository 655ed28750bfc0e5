import { InvalidInput, text, type Check } from './input.js';

/**
 * The numbers of an extension version, or `null` when it is none: 1 to 4 dot-separated integers from 0 to 65535 without
 * leading zeros (src/stores/README.md#chrome-rules), not all of them zero (GoogleChrome/developer.chrome.com#3220).
 */
export function parseVersion(version: string): readonly number[] | null {
  const parts = version.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(0|[1-9]\d{0,4})$/.test(part))) return null;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 65_535) && numbers.some((number) => number > 0) ? numbers : null;
}

/** Below zero when `a` is the older one; a missing part counts as zero (src/stores/README.md#comparison). */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let index = 0; index < 4; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export const versionText: Check<string> = (value, what) => {
  const version = text(value, what);
  if (!parseVersion(version)) throw new InvalidInput(`"${what}" must be a version such as 1.2.3`);
  return version;
};

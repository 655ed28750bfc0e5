const PART = '(?:0|[1-9]\\d{0,4})';
const VERSION = new RegExp(`^${PART}(?:\\.${PART}){0,3}$`);
const LARGEST_PART = 65_535;

/** Reads a version as all stores write it: 1 to 4 dotted integers of 0 to 65535 without leading zeros; else `null`. */
export function parseVersion(text: string): number[] | null {
  if (!VERSION.test(text)) return null;
  const parts = text.split('.').map(Number);
  return parts.every((part) => part <= LARGEST_PART) ? parts : null;
}

/** Whether `text` is a version that every store takes. */
export function isVersion(text: string): boolean {
  return parseVersion(text) !== null;
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

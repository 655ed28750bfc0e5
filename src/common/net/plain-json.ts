/** Returns unknown JSON if it is an object. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Returns unknown JSON if it is a list; otherwise an empty list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns unknown JSON if it is text that is not blank. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns unknown JSON if it is a finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** How much a JSON text holds. */
export interface JsonSize {
  /** Of all objects and lists together: keys and list items. */
  readonly entries: number;
  /** Objects and lists within each other. */
  readonly depth: number;
}

const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map((one) => one.charCodeAt(0));
const codesOf = (characters: string): ReadonlySet<number> => new Set(Buffer.from(characters));
const [SPACES, OPENINGS, CLOSINGS] = [codesOf(' \t\r\n'), codesOf('{['), codesOf('}]')];

/** Counts what a JSON text holds before anything is made of it. Of bytes that are no JSON it says anything. Pure. */
export function sizeOfJson(bytes: Uint8Array): JsonSize {
  let [entries, level, depth] = [0, 0, 0];
  let isAtStart = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (SPACES.has(code)) continue;
    if (CLOSINGS.has(code)) level -= 1;
    // The first entry has no comma in front.
    else if (isAtStart || code === COMMA) entries += 1;
    isAtStart = OPENINGS.has(code);
    if (isAtStart) level += 1;
    depth = Math.max(depth, level);
    if (code === QUOTE) at = endOfText(bytes, at + 1);
  }
  return { entries, depth };
}

/** The position of the quote that ends a text. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

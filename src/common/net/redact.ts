const REDACTED = '[redacted]';
const DEPTH_MARKER = '[cut]';
const MAX_CHARACTERS = 4096;
const MAX_TEXT = 2048;
const MAX_KEY = 200;
const MAX_DEPTH = 10;
const MAX_VALUES = 2000;

/** Parts of names, without case and punctuation, whose value is a secret wherever they are in a key … */
const SECRET_WITHIN = /secret|passw(?:or)?d|passphrase|privatekey|apikey|authorization|assertion|cookie/;
/** … or only at its end: `token_type` and `tokenUri` are not secret. */
const SECRET_AT_END = /(?:tokens?|jwt|credentials?)$/;

const NAMED =
  '[\\w-]{0,40}(?:token|secret|password|private_?key|api_?key|assertion|authorization)(?:[_-]?(?:value|hash))?';

/** Patterns of secrets in text, and their replacements. Each runs in linear time. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, REDACTED],
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g, REDACTED],
  [/\bya29\.[\w.-]+/g, REDACTED],
  [/(?<![\w/])1\/\/[\w-]{10,}/g, REDACTED],
  [/\bGOCSPX-[\w-]+/g, REDACTED],
  [/\b(?:sk|rk)_(?:live|test)_\w+|\b(?:pdl|polar|creem)_\w{8,}|\bwhsec_[\w+/]{8,}={0,2}/g, REDACTED],
  [/\b(Bearer|ApiKey|JWT|Basic)(\s+)(?=\S*\d)[\w.~+/=-]{12,}/gi, `$1$2${REDACTED}`],
  [new RegExp(`("${NAMED}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*(?:"|$)`, 'gi'), `$1"${REDACTED}"`],
  [new RegExp(`(?<![\\w-])(${NAMED}=)[^&\\s"']+`, 'gi'), `$1${REDACTED}`],
];

/** Removes control characters except line ends and tabs, some of which PostgreSQL cannot store, and makes text well-formed. */
export function cleanText(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Replaces what looks like a secret, and removes what PostgreSQL's `jsonb` cannot store. */
export function redactText(text: string): string {
  return SECRET_PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), cleanText(text));
}

/** Cuts text to `max` characters, an ellipsis included. */
export function truncate(text: string, max: number): string {
  // A character has one or two units, so this beginning holds at least `max` characters.
  const beginning = Array.from(text.slice(0, 2 * max));
  if (text.length <= 2 * max && beginning.length <= max) return text;
  return `${beginning.slice(0, Math.max(max - 1, 0)).join('')}…`;
}

/** How many characters a text has, as PostgreSQL, class-validator and addons.mozilla.org count them: Unicode code points. */
export const countCharacters = (text: string): number => [...text].length;

/**
 * Copies any value so that it is safe to log or to store on an event: secrets are replaced, by their name and by their form. A copy whose
 * JSON is longer than `maxCharacters` (4096) becomes the beginning of that JSON, as text.
 */
export function redact(value: unknown, maxCharacters = MAX_CHARACTERS): unknown {
  const copy = copyOf(value, 0, { left: MAX_VALUES });
  const json = JSON.stringify(copy) ?? '';
  return json.length > maxCharacters ? truncate(json, maxCharacters) : copy;
}

/** Counts values down, so that cycles and huge values cost a bounded amount of work. */
interface Budget {
  left: number;
}

function copyOf(value: unknown, depth: number, budget: Budget): unknown {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return truncate(redactText(value), MAX_TEXT);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return typeof value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return copyOf({ name: value.name, message: value.message }, depth, budget);
  if (depth >= MAX_DEPTH) return DEPTH_MARKER;
  if (Array.isArray(value)) return within(value, budget).map((one) => copyOf(one, depth + 1, budget));
  const entries: readonly [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    within(entries, budget).map(([name, held]) => {
      const key = truncate(redactText(String(name)), MAX_KEY);
      return [key, isSecret(String(name), held) ? REDACTED : copyOf(held, depth + 1, budget)];
    }),
  );
}

/** Returns as many of the values as the budget allows. */
function within<T>(values: readonly T[], budget: Budget): readonly T[] {
  const kept = values.slice(0, budget.left);
  budget.left -= kept.length;
  return kept;
}

/** Whether a name and its value suggest a secret; `null`, `false` and empty values are not secret. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return false;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET_WITHIN.test(plain) || SECRET_AT_END.test(plain);
}

const MAX_WORDS = 500;
/** Characters that are looked at. */
const MAX_READ = 2000;

// oxlint-disable regexp/no-super-linear-move -- of no more than MAX_READ characters
/** Parts of a store's words that differ from package to package: quoted names, addresses, ids and numbers. */
const OWN_PARTS: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g, '"…"'],
  [/\S*[/\\]\S*/g, '…'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g, '…'],
  [/\{?\b[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}\b\}?/gi, '…'],
  [/\b[a-p]{32}\b/g, '…'],
  [/\d+(?:\.\d+)*/g, 'N'],
];

/** A store's words without what is a tenant's own, so that the same refusal of two packages reads the same. Pure. */
export const wordsOf = (message: string): string =>
  OWN_PARTS.reduce((words, [part, instead]) => words.replaceAll(part, instead), message.slice(0, MAX_READ)).slice(
    0,
    MAX_WORDS,
  );

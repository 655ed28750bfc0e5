/** PostgreSQL takes no word of more than 2,046 bytes. */
const LONGEST_WORD = 100;
const SHORTEST_BEGIN = 3;

/** The words of a name as they are searched: without case, accents and signs. */
function wordsOf(name: string): readonly string[] {
  const plain = name.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => [...word].slice(0, LONGEST_WORD).join('')))];
}

/** The words of a name as a `tsvector`; null when it has none. Pure. */
export function nameWords(name: string | null): string | null {
  const words = wordsOf(name ?? '');
  return words.length === 0 ? null : words.map((word) => `'${word}'`).join(' ');
}

/** The `tsquery` of the names that have a word for each of a text's, beginning with it; null for what begins no name. Pure. */
export function namesWith(text: string): string | null {
  const given = text.trim();
  if (given.length < SHORTEST_BEGIN || !/^\p{L}[^@]*$/u.test(given)) return null;
  return wordsOf(given)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

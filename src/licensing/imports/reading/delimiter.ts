/** What may separate cells, the likeliest first. */
const DELIMITERS = [',', ';', '\t'] as const;

/** Finds what separates the cells of the first line: what occurs most often outside of quotes. Pure. */
export function delimiterOf(beginning: string): (typeof DELIMITERS)[number] {
  const counts = new Map(DELIMITERS.map((one) => [one as string, 0]));
  let isQuoted = false;
  for (const character of beginning.replace(/^[\uFEFF\s]+/, '')) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\r\n]/.test(character)) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return DELIMITERS.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}

const MAX_SHOWN = 120;

/** Makes text from outside, such as a name in a package, safe to keep and to quote: without control characters and halves of pairs, and cut. */
export function quotable(text: string, most = MAX_SHOWN): string {
  const clean = text.slice(0, most).replace(/\p{C}/gu, '\uFFFD');
  return text.length > most ? `${clean}…` : clean;
}

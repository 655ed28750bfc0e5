/** The addresses of a text, one on each line. */
export const addressesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Number of licenses of a CSV: its lines without the first one, which names the columns. */
export const countIn = (csv: string): number => csv.trimEnd().split('\r\n').length - 1;

/** The codes of a CSV, or its links where it has no codes: the first two cells of its lines, which need no quotes. */
export const handedOutIn = (csv: string): readonly string[] =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',', 2).find((cell) => cell !== '') ?? '');

/** Makes an idempotency key. `crypto.randomUUID` is missing where a page is not served by HTTPS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

import { Failure } from '../failure.js';

/** Reads CSV as RFC 4180 has it, with a comma, a semicolon or a tab between fields. @throws Failure for a quote that stays open */
export function readCsv(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text.charAt(at + 1) === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && field === '') isQuoted = true;
    else if (char === separator || char === '\n') {
      row.push(field.replace(/\r$/, ''));
      field = '';
      if (char === '\n') {
        rows.push(row);
        row = [];
      }
    } else field += char;
  }
  if (isQuoted) throw new Failure('The CSV has a quotation mark that is never closed.');
  rows.push([...row, field.replace(/\r$/, '')]);
  return rows;
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [head = ''] = text.split('\n', 1);
  const count = (separator: string): number => head.split(separator).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Writes a row of CSV. */
export const csvRow = (fields: readonly string[]): string =>
  fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');

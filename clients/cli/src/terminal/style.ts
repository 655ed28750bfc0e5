import type { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';
import { formatted, inAscii, printable } from './printable.js';

type Env = Readonly<Record<string, string | undefined>>;
export type Format = Parameters<typeof styleText>[0];

/** Output of a process. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** Styles of text in a stream. */
export interface Style {
  /** Formats text, or returns it as it is where colors are off. */
  (format: Format, text: string): string;
  /** The columns of the terminal; absent where there is none, and nothing is cut. */
  readonly width?: number;
  /** The terminal shows nothing but ASCII. */
  readonly isAscii?: boolean;
}

const USUAL_COLUMNS = 80;

/** https://no-color.org and https://force-color.org; a dumb terminal shows codes as letters. */
export function usesColor(env: Env, isTerminal: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  if ((env['FORCE_COLOR'] ?? '') !== '') return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

/** Whether a terminal is dumb, or its locale names another charset than UTF-8. */
const isAsciiOnly = (env: Env): boolean => {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((one) => one !== undefined && one !== '');
  return env['TERM'] === 'dumb' || (locale !== undefined && !/utf-?8/i.test(locale));
};

/** The styles of a stream. @param mayColor false for JSON */
export function styleFor({ isTTY = false, columns = 0 }: Output, env: Env, mayColor = true): Style {
  const isColored = mayColor && usesColor(env, isTTY);
  const style = (format: Format, text: string): string => (isColored ? formatted(format, text) : text);
  // Some terminals say that they have no columns.
  const width = columns > 0 ? columns : USUAL_COLUMNS;
  return isTTY ? Object.assign(style, { width, isAscii: isAsciiOnly(env) }) : style;
}

/** Text as a stream shows it: with no control characters but the formats of this program. */
export const shown = (text: string, { isAscii = false }: Style): string =>
  isAscii ? inAscii(printable(text)) : printable(text);

import type { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';
import { formatted, inAscii, linkedTo, printable } from './printable.js';

type Env = Readonly<Record<string, string | undefined>>;
export type Format = Parameters<typeof styleText>[0];

/** Output of a process. */
export interface Output extends Pick<WriteStream, 'write'>, Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>> {
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

/** Styles of text in a stream. */
export interface Style {
  /** Formats text, or returns it as it is where colors are off. */
  (format: Format, text: string): string;
  /** The columns of the terminal; absent where there is none, and nothing is cut. */
  readonly width?: number;
  /** The terminal shows nothing but ASCII. */
  readonly isAscii?: boolean;
  /** The terminal opens links behind words. */
  readonly hasLinks?: boolean;
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

/** Programs and terminals that open links; others show what they do not know. */
const PROGRAMS = 'iTerm.app WezTerm vscode ghostty Hyper Tabby zed';
const TERMINALS = 'xterm-kitty xterm-ghostty alacritty alacritty-direct foot wezterm';
const LINKING = new Set(`${PROGRAMS} ${TERMINALS}`.split(' '));
/** The first version of VTE that opens links and never crashes on one. */
const LINKING_VTE = 5004;

export const isSet = (value: string | undefined): boolean => value !== undefined && value !== '' && value !== 'false';

/** FORCE_HYPERLINK as in https://www.npmjs.com/package/supports-hyperlinks. A multiplexer has the variables of the terminal that it was begun in. */
export function usesLinks(env: Env, isTerminal: boolean): boolean {
  const { FORCE_HYPERLINK: forced = '', TERM: term = '', TERM_PROGRAM: program = '', VTE_VERSION: vte = '' } = env;
  if (forced !== '') return forced !== '0';
  if (!isTerminal || isSet(env['CI']) || /^(?:dumb|screen|tmux)/.test(term)) return false;
  return LINKING.has(program) || LINKING.has(term) || Number(vte) >= LINKING_VTE || isSet(env['WT_SESSION']);
}

/** The styles of a stream. @param isText false for JSON */
export function styleFor({ isTTY = false, columns = 0 }: Output, env: Env, isText = true): Style {
  const hasLinks = isText && usesLinks(env, isTTY);
  const isColored = isText && usesColor(env, isTTY);
  const style = (format: Format, text: string): string => (isColored ? formatted(format, text) : text);
  // Some terminals say that they have no columns.
  const width = columns > 0 ? columns : USUAL_COLUMNS;
  return Object.assign(style, { hasLinks }, isTTY ? { width, isAscii: isAsciiOnly(env) } : {});
}

/** Text that leads to a page where the terminal opens links. */
export const linked = ({ hasLinks = false }: Style, address: string, text = address): string =>
  hasLinks ? linkedTo(address, text) : text;

/** Text as a stream shows it: with no control characters but the formats of this program. */
export const shown = (text: string, { isAscii = false }: Style): string =>
  isAscii ? inAscii(printable(text)) : printable(text);

import widthInTerminal from 'fast-string-width';
import { OWN_FORMATS, seenOf } from './printable.js';

/** Splits text into units that stay together: a letter with its accents, an emoji of several characters. */
const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Places at which a line of prose may end: behind a space, and between characters of scripts that are written without spaces. */
const LINE_ENDS = /(?<=\s)(?=\S)|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/u;

/** Number of columns that a text takes, whatever its colors. Characters of East Asia and emoji take two. */
export const widthOf = (text: string): number => widthInTerminal(seenOf(text));

/** Cuts a text to a width at the end of a word, a lone word anywhere, and says so by `…`. Colors stay. */
export function truncated(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let left = beginningOf(seenOf(text), width - 1).length;
  let isCut = false;
  const parts = text.split(OWN_FORMATS).map((part, at) => {
    if (at % 2 === 1) return part;
    if (isCut) return '';
    const kept = part.slice(0, left);
    left -= kept.length;
    isCut = left === 0;
    return isCut ? `${kept}…` : kept;
  });
  return parts.join('');
}

function beginningOf(text: string, width: number): string {
  let beginning = '';
  for (const { segment } of LETTERS.segment(text)) {
    if (widthOf(beginning + segment) > width) break;
    beginning += segment;
  }
  const isBetweenWords = text[beginning.length] === ' ';
  const words = isBetweenWords ? beginning : beginning.slice(0, Math.max(beginning.lastIndexOf(' '), 0));
  const kept = words.replace(/[\s→,(]+$/, '');
  return kept === '' ? beginning : kept;
}

/** What may be copied into a shell: a command, which ends its line. */
const COMMANDS = /(?<=\s)(?=(?:pierhead|npm|npx) [a-z])/;
/** Space before a line's text, and its mark. */
const MARGIN = /^\s*(?:[^\p{L}\p{N}\s]\s+)?/u;

/** Breaks prose into lines between words. A word that no line can hold is cut. */
export const wrapped = (text: string, width: number): string[] =>
  broken(text.split(LINE_ENDS), () => width).map((line) => truncated(line, width));

/** Breaks the lines of a text that are too long between words, below where their text begins. Long words and commands stay whole, to be copied. */
export function folded(text: string, width = Infinity): string {
  const lines = text.split('\n').map((line) => {
    if (widthOf(line) <= width) return line;
    const indent = ' '.repeat(widthOf(MARGIN.exec(seenOf(line))?.[0] ?? ''));
    const [prose = '', ...commands] = line.split(COMMANDS);
    const pieces = [...prose.split(LINE_ENDS), ...(commands.length === 0 ? [] : [commands.join('')])];
    return broken(pieces, (at) => (at === 0 ? width : Math.max(width - indent.length, 1))).join(`\n${indent}`);
  });
  return lines.join('\n');
}

function broken(pieces: readonly string[], widthAt: (line: number) => number): string[] {
  const lines: string[] = [''];
  for (const piece of pieces) {
    const [at, last] = [lines.length - 1, lines.at(-1) ?? ''];
    const longer = last + piece;
    if (seenOf(last).replace(MARGIN, '') === '' || widthOf(longer.trimEnd()) <= widthAt(at)) lines[at] = longer;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}

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

/** Breaks prose into lines between words. A word that no line can hold is cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of text.split(LINE_ENDS)) {
    const longer = `${lines.at(-1) ?? ''}${piece}`;
    if (lines.length > 0 && widthOf(longer.trimEnd()) <= width) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines.map((line) => truncated(line.trimEnd(), width));
}

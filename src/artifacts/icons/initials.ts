import { createHash } from 'node:crypto';

/** Backgrounds on which white text has a contrast of at least 4.5:1. */
const COLOURS = ['#0b5fcc', '#8a3ea8', '#0f7480', '#a8420b', '#1a7237', '#b81456', '#4b54c4', '#57606a'];

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const GRAPHEMES = new Intl.Segmenter();
const firstOf = (text: string): string => [...GRAPHEMES.segment(text)][0]?.segment ?? '';

/** The first letters of a name's first two words; one where its script has no capitals, since such letters may join. Pure. */
export function initialsOf(name: string): string {
  const letters = [...name.matchAll(WORD)].map(([word]) => firstOf(word).toUpperCase());
  const [first = firstOf(name.trim())] = letters;
  const hasCapitals = first.toLowerCase() !== first;
  return hasCapitals ? letters.slice(0, 2).join('') : first;
}

/** An SVG of the initials of an extension, in a colour that follows from its name. Pure. */
export function initialsPicture(name: string): string {
  const colour = COLOURS[createHash('sha256').update(name).digest().readUInt16BE() % COLOURS.length];
  const text = initialsOf(name).replaceAll(/[&<>]/g, (character) => `&#${character.codePointAt(0)};`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${colour}"/><text x="32" y="32" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="27" fill="#fff">${text}</text></svg>`;
}

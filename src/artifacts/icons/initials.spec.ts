import { expect, it } from 'vitest';
import { initialsOf, initialsPicture } from './initials.js';

it.each([
  ['Tab Counter', 'TC'],
  ['night owl for reddit', 'NO'],
  ['uBlock', 'U'],
  ['  "Dark"-Mode', 'DM'],
  ['7zip opener', '7'],
  ['Été à Paris', 'ÉÀ'],
  ['عداد علامات التبويب', 'ع'],
  ['漢字 練習', '漢'],
  ['👩‍👩‍👧 family', 'F'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['<>', '<'],
])('%s has the initials %s', (name, expected) => {
  expect(initialsOf(name)).toBe(expected);
});

it('the colour follows from the name, and markup in a name is text', () => {
  const colourOf = (name: string): string | undefined => /fill="(#\w{6})"/.exec(initialsPicture(name))?.[1];
  expect(colourOf('Night Owl')).toBe(colourOf('Night Owl'));
  expect(colourOf('Night Owl')).not.toBe(colourOf('Tab Counter'));
  expect(initialsPicture('<')).toContain('>&#60;</text>');
});

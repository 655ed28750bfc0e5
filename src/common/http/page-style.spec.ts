import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contrastOf, luminanceOf } from '../../../test/support/contrast.js';
import { branded, colourOf, STYLE } from './page-style.js';

const TOKENS = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

it.each([
  ['light', 'most', 0],
  ['dark', 'least', 1],
] as const)(
  'an accent of one’s own can be read in the %s scheme on each background, and what is on it',
  (scheme, end, at) => {
    const luminance = Number([...TOKENS.matchAll(new RegExp(`--brand-${end}: ([\\d.]+);`, 'g'))][at]?.[1]);
    for (const token of ['bg', 'bg-sunken', 'bg-raised', 'on-brand'])
      expect(contrastOf(luminance, luminanceOf(colourOf(scheme, token)))).toBeGreaterThanOrEqual(4.5);
  },
);

it('an accent of one’s own is that of its elements alone', () => {
  const rules = branded('.seller-1', '#ffe600');
  expect(rules).toMatch(
    /^\.seller-1\{--brand:#ffe600\}@supports .*\{ \.seller-1 \{.*--accent: color\( from var\(--brand\) .*\} \} ?$/,
  );
  expect(rules).not.toContain('.branded');
  expect(STYLE).not.toContain('--brand)');
});

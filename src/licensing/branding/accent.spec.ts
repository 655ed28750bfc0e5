import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accentTones, contrastOf, MIN_CONTRAST } from './accent.js';

const BACKGROUNDS = { light: ['#ffffff', '#f6f7f9'], dark: ['#0f1317', '#1a2027'] } as const;
const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`);

describe('an accent', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0b5fcc', '#ffffff', 5.96],
  ])('%s has on %s a contrast of %d', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
    expect(contrastOf(other, one)).toBe(contrastOf(one, other));
  });

  it.each([
    ['stays where it is readable', '#0b5fcc', { accent: '#0b5fcc', onAccent: '#ffffff' }, null],
    ['stays in the other scheme', '#6cb0ff', null, { accent: '#6cb0ff', onAccent: '#000000' }],
    ['of a light yellow becomes dark', '#ffe600', { accent: '#7d7100', onAccent: '#ffffff' }, null],
    ['of black becomes grey in the dark', '#000000', { accent: '#000000', onAccent: '#ffffff' }, { accent: '#878787' }],
    [
      'of white becomes grey in the light',
      '#ffffff',
      { accent: '#707070' },
      { accent: '#ffffff', onAccent: '#000000' },
    ],
  ])('%s', (_, given, light, dark) => {
    const tones = accentTones(given, BACKGROUNDS);
    if (light !== null) expect(tones.light).toMatchObject(light);
    if (dark !== null) expect(tones.dark).toMatchObject(dark);
  });

  it('is readable in both schemes with its text, whatever the colour, and is not changed twice', () => {
    fc.assert(
      fc.property(colour, (given) => {
        const tones = accentTones(given, BACKGROUNDS);
        for (const scheme of ['light', 'dark'] as const) {
          const { accent, onAccent } = tones[scheme];
          expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(MIN_CONTRAST);
          for (const background of BACKGROUNDS[scheme])
            expect(contrastOf(accent, background)).toBeGreaterThanOrEqual(MIN_CONTRAST);
          expect(accentTones(accent, BACKGROUNDS)[scheme]).toEqual(tones[scheme]);
        }
      }),
    );
  });
});

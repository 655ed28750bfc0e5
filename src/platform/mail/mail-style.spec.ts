import { expect, it } from 'vitest';
import fc from 'fast-check';
import { contrastOf, luminanceOf } from '../../../test/support/contrast.js';
import { textOn } from './mail-style.js';

const channel = fc.nat(255).map((value) => value.toString(16).padStart(2, '0'));

it('the words of a button can be read, whatever its colour', () => {
  expect(['#000000', '#0b5fcc', '#ffe600', '#ffffff'].map(textOn)).toEqual([
    '#ffffff',
    '#ffffff',
    '#000000',
    '#000000',
  ]);
  fc.assert(
    fc.property(channel, channel, channel, (...channels) => {
      const colour = `#${channels.join('')}`;
      expect(contrastOf(luminanceOf(colour), luminanceOf(textOn(colour)))).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 1000 },
  );
});

import { expect, it } from 'vitest';
import { isSetUp, shows } from './filter';

type Extension = Parameters<typeof isSetUp>[0];

const target = (tone: string, phase = 'live') => ({ phase, display: { tone } });
const extension = (name: string, ...targets: readonly object[]) => ({ id: name, name, targets }) as Extension;

const OWL = extension('Night Owl', target('live'), target('rejected'));
const UNUSED = extension('Élan', target('off', 'disabled'));

it.each([
  ['everything', '', null, true, true],
  ['a part of the name, in any case', 'oWL', null, true, false],
  ['words in any order', 'owl nig', null, true, false],
  ['letters without their accents', 'elan', null, false, true],
  ['what was refused as what needs you', '', 'needs_you', true, false],
  ['a state at one of the stores', '', 'live', true, false],
  ['a state at none of them', '', 'underway', false, false],
  ['the starred ones', '', 'starred', false, true],
  ['words and a state', 'heron', 'live', false, false],
] as const)('a filter shows %s', (_, words, state, owl, unused) => {
  const stars = new Set(['Élan']);
  expect([OWL, UNUSED].map((one) => shows({ words, state }, one, stars))).toEqual([owl, unused]);
});

it('an extension is set up once it goes to a store', () => {
  expect([OWL, UNUSED].map(isSetUp)).toEqual([true, false]);
});

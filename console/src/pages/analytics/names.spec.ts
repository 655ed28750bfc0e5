import { expect, it } from 'vitest';
import fc from 'fast-check';
import { flagOf, nameOf, type Dimension } from './names';

const REGIONS = new Intl.DisplayNames(undefined, { type: 'region' });
const LANGUAGES = new Intl.DisplayNames(undefined, { type: 'language' });

it.each<[Dimension, string | null, string | undefined]>([
  ['version', '1.4.0', '1.4.0'],
  ['version', null, 'Unknown'],
  ['country', null, 'Unknown'],
  ['browser', 'other', 'Others'],
  ['country', 'DE', REGIONS.of('DE')],
  ['country', 'not a country', 'not a country'],
  ['language', 'pt-BR', LANGUAGES.of('pt-BR')],
  ['language', 'x"><script>', 'x"><script>'],
  ['store', 'firefox', 'Firefox'],
  ['store', 'opera', 'opera'],
  ['licensed', 'licensed', 'Licensed'],
  ['licensed', 'free', 'Free'],
])('of the dimension %s, %s is shown as %s', (dimension, value, name) => {
  expect(nameOf(dimension, value)).toBe(name);
});

it('whatever an install sent has a name', () => {
  const dimensions = fc.constantFrom<Dimension>('country', 'language', 'version', 'browser', 'os');
  fc.assert(fc.property(dimensions, fc.string(), (dimension, value) => typeof nameOf(dimension, value) === 'string'));
});

it.each([
  ['CH', '🇨🇭'],
  ['ZZ', '🇿🇿'],
  ['other', ''],
  ['x"', ''],
  [null, ''],
])('the flag of %s is %s', (country, flag) => expect(flagOf(country)).toBe(flag));

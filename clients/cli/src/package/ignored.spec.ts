import { describe, expect, it } from '@jest/globals';
import { ignoring } from './ignored.js';

describe('a package leaves out', () => {
  it.each([
    ['.env'],
    ['.git'],
    ['scripts/.eslintrc'],
    ['node_modules'],
    ['popup/node_modules'],
    ['old.zip'],
    ['builds/old.xpi'],
    ['key.pem'],
    ['AuthKey_ABC.p8'],
    ['web-ext-artifacts'],
    ['pierhead.json'],
  ])('%s', (path) => {
    expect(ignoring()(path)).toBe(true);
  });

  it.each([['manifest.json'], ['a.b/c.js'], ['zip'], ['node_modules.js'], ['nested/pierhead.json'], ['_locales']])(
    'and has %s',
    (path) => {
      expect(ignoring()(path)).toBe(false);
    },
  );

  it.each<[string, readonly string[], string, boolean]>([
    ['a file', ['package.json'], 'package.json', true],
    ['no file of that name elsewhere', ['package.json'], 'lib/package.json', false],
    ['a folder as it is written for a shell', ['./src'], 'src', true],
    ['files by pattern', ['**/*.map'], 'dist/main.js.map', true],
    ['nothing that is taken back in', ['!.well-known'], '.well-known', false],
    ['what comes last', ['!**/*.zip', 'big.zip'], 'big.zip', true],
  ])('by the settings: %s', (_case, patterns, path, ignored) => {
    expect(ignoring(patterns)(path)).toBe(ignored);
  });
});

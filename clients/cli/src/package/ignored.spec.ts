import { describe, expect, it } from 'vitest';
import { ignoredInPackage, ignoredInSources } from './ignored.js';

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
    expect(ignoredInPackage()(path)).toBe(true);
  });

  it.each([['manifest.json'], ['a.b/c.js'], ['zip'], ['node_modules.js'], ['nested/pierhead.json'], ['_locales']])(
    'and has %s',
    (path) => {
      expect(ignoredInPackage()(path)).toBe(false);
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
    expect(ignoredInPackage(patterns)(path)).toBe(ignored);
  });
});

describe('an archive of sources', () => {
  it.each([
    ['.git'],
    ['node_modules'],
    ['.env'],
    ['app/.env.submit'],
    ['key.pem'],
    ['.output'],
    ['old.zip'],
    ['.netrc'],
    ['home/.aws'],
    ['.ssh'],
  ])('leaves out %s', (path) => {
    expect(ignoredInSources()(path)).toBe(true);
  });

  it.each([['.npmrc'], ['.env.example'], ['.github'], ['package-lock.json'], ['src'], ['pierhead.json']])(
    'has %s',
    (path) => {
      expect(ignoredInSources()(path)).toBe(false);
    },
  );

  it.each<[string, boolean, boolean]>([
    ['coverage', true, true],
    ['coverage', false, false],
    ['coverage/index.html', false, true],
    ['lib/local.json', false, true],
    ['lib/shared.json', false, false],
    ['.env', false, true],
  ])('follows the .gitignore: %s, a folder: %s', (path, isFolder, ignored) => {
    const gitignore = 'coverage/\n# mine\nlib/*.json\n!lib/shared.json\n!.env\n';
    expect(ignoredInSources(gitignore)(path, isFolder)).toBe(ignored);
  });
});

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { IndexedFile, PackageIndex } from '../archive/index.js';
import { differencesOf } from './served-differences.js';

type Files = Readonly<Record<string, string>>;

const MANIFEST = { manifest_version: 3, name: 'Owl', version: '1.0.0', permissions: ['storage'] };
const SENT: Files = { 'manifest.json': 'own', 'a.js': '1', 'lib/b.js': '2' };

const packageOf = (files: Files, manifest: object = MANIFEST): PackageIndex => ({
  manifest: { ...manifest },
  files: Object.entries(files).map(([path, content]): IndexedFile => ({ path, size: content.length, sha256: content })),
});
const between = (served: Files, manifest: object = MANIFEST, isRenumbered = false) =>
  differencesOf(packageOf(SENT), packageOf(served, manifest), isRenumbered);

describe('a served package is the one that was sent', () => {
  it.each<[string, Files, object?]>([
    ['as it is', SENT],
    ['with signed digests of the store', { ...SENT, '_metadata/verified_contents.json': 'x', '_metadata/a/b': 'y' }],
    ['with a manifest that was written anew', { ...SENT, 'manifest.json': 'other bytes' }],
    [
      'with keys of the store in its manifest',
      { ...SENT, 'manifest.json': 'other bytes' },
      { ...MANIFEST, update_url: 'https://a', key: 'k', differential_fingerprint: 'f' },
    ],
    [
      'with its manifest in another order',
      { ...SENT, 'manifest.json': 'other bytes' },
      Object.fromEntries(Object.entries(MANIFEST).toReversed()),
    ],
  ])('%s', (_, served, manifest = MANIFEST) => {
    expect(between(served, manifest)).toBeNull();
  });

  it.each(['.gitkeep', 'img/.DS_Store', '.git/HEAD', '__MACOSX/a', 'Thumbs.db', 'x/desktop.ini', 'a.js~', '#a.js#'])(
    'without %s, which Chromium leaves out',
    (path) => {
      expect(differencesOf(packageOf({ ...SENT, [path]: '' }), packageOf(SENT), false)).toBeNull();
    },
  );

  it('with another number where the store was told to give it one', () => {
    const renumbered = { ...MANIFEST, version: '1.2.0', version_name: '1.2.0' };
    expect(between({ ...SENT, 'manifest.json': 'x' }, renumbered, true)).toBeNull();
    expect(between({ ...SENT, 'manifest.json': 'x' }, renumbered)).toMatchObject({ changed: ['manifest.json'] });
  });
});

describe('a served package is another', () => {
  const NONE = { changed: [], added: [], missing: [] };
  it.each<[string, Files, object, object?]>([
    ['with another file', { ...SENT, 'a.js': 'x' }, { changed: ['a.js'] }],
    ['with one more', { ...SENT, 'c.js': 'x' }, { added: ['c.js'] }],
    ['with one more whose name Chromium leaves out', { ...SENT, '.c.js': 'x' }, { added: ['.c.js'] }],
    ['with one more beside the folder of the store', { ...SENT, '_metadata.js': 'x' }, { added: ['_metadata.js'] }],
    ['without one', { 'manifest.json': 'own', 'a.js': '1' }, { missing: ['lib/b.js'] }],
    [
      'with a file under another name',
      { 'manifest.json': 'own', 'A.js': '1', 'lib/b.js': '2' },
      { added: ['A.js'], missing: ['a.js'] },
    ],
    [
      'with another permission',
      { ...SENT, 'manifest.json': 'x' },
      { changed: ['manifest.json'] },
      { ...MANIFEST, permissions: ['storage', 'tabs'] },
    ],
    [
      'with another key inside of a key',
      { ...SENT, 'manifest.json': 'x' },
      { changed: ['manifest.json'] },
      { ...MANIFEST, background: { key: 'k', update_url: 'u' } },
    ],
    [
      'without a key',
      { ...SENT, 'manifest.json': 'x' },
      { changed: ['manifest.json'] },
      { manifest_version: 3, name: 'Owl', version: '1.0.0' },
    ],
  ])('%s', (_, served, differing, manifest = MANIFEST) => {
    expect(between(served, manifest)).toEqual({
      ...NONE,
      ...differing,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  const path = fc.constantFrom('a.js', 'b.js', 'c/d.js', '_metadata/x', '.hidden');
  const files = fc
    .dictionary(path, fc.constantFrom('1', '2', '3'))
    .map((others): Files => ({ ...others, 'manifest.json': 'own' }));

  it('for exactly what a browser would load otherwise', () => {
    fc.assert(
      fc.property(files, files, (before, after) => {
        const found = differencesOf(packageOf(before), packageOf(after), false);
        const isAbsent = (name: string): boolean => after[name] === undefined;
        const expected = [...new Set([...Object.keys(before), ...Object.keys(after)])]
          .filter((name) => !name.startsWith('_metadata/') && !(name === '.hidden' && isAbsent(name)))
          .filter((name) => before[name] !== after[name])
          .toSorted();
        const told = found === null ? [] : [...found.changed, ...found.added, ...found.missing].toSorted();
        expect(told).toEqual(expected);
      }),
    );
  });

  it('with the same digest as long as it is the same, and another otherwise', () => {
    fc.assert(
      fc.property(files, files, files, (sent, one, other) => {
        const [first, again, second] = [one, one, other].map((served) =>
          differencesOf(packageOf(sent), packageOf(served), false),
        );
        expect(again).toEqual(first);
        if (first == null || second == null) return;
        const isSameToUsers =
          JSON.stringify([first.changed, first.added, first.missing]) ===
            JSON.stringify([second.changed, second.added, second.missing]) &&
          [...first.changed, ...first.added].every((name) => one[name] === other[name]);
        expect(first.digest === second.digest).toBe(isSameToUsers);
      }),
    );
  });
});

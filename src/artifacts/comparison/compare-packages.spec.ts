import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parseManifest, type IndexedFile } from '../archive/index.js';
import { comparePackages, MAX_CHANGES, type ComparedPackage } from './compare-packages.js';

const MANIFEST = { manifest_version: 3, name: 'Owl', version: '1.0.0' };
const packageOf = (manifest: object, files: readonly IndexedFile[] = []): ComparedPackage => {
  const json = { ...MANIFEST, ...manifest };
  return { manifest: parseManifest(JSON.stringify(json)).manifest, index: { manifest: json, files } };
};
const file = (path: string, size: number, content = size): IndexedFile => ({
  path,
  size,
  sha256: `${size} bytes of ${content}`,
});
const NOTHING = { added: [], removed: [] };
const SAME = {
  permissions: NOTHING,
  hosts: NOTHING,
  optional: NOTHING,
  warnings: [],
  manifest: { changed: 0, items: [] },
  files: { added: 0, removed: 0, changed: 0, items: [] },
};

describe('the manifests of two packages', () => {
  const key = (name: string, before: string | null, after: string | null): object => ({
    manifest: { changed: 1, items: [{ key: name, before, after }] },
  });
  it.each<[string, object, object, object]>([
    ['are the same', {}, {}, {}],
    ['have another value', { name: 'Owl' }, { name: 'Night Owl' }, key('name', '"Owl"', '"Night Owl"')],
    ['have a new key', {}, { side_panel: 'a.html' }, key('side_panel', null, '"a.html"')],
    [
      'have a key that gives access',
      {},
      { devtools_page: 'a.html' },
      { warnings: ['Read and change all your data on all websites'], ...key('devtools_page', null, '"a.html"') },
    ],
    ['lack a key', { default_locale: 'en' }, {}, key('default_locale', '"en"', null)],
    [
      'differ within an object',
      { background: { service_worker: 'a.js', type: 'module' } },
      { background: { type: 'module', service_worker: 'b.js' } },
      key('background.service_worker', '"a.js"', '"b.js"'),
    ],
    ['have another kind of value', { action: {} }, { action: null }, key('action', '{}', 'null')],
    ['differ in a list', { web: [1, 2] }, { web: [2, 1] }, key('web', '[1,2]', '[2,1]')],
    ['name permissions in another order', { permissions: ['tabs', 'alarms'] }, { permissions: ['alarms', 'tabs'] }, {}],
    [
      'ask for another permission',
      { permissions: ['alarms'] },
      { permissions: ['tabs'] },
      { permissions: { added: ['tabs'], removed: ['alarms'] }, warnings: ['Read your browsing history'] },
    ],
    [
      'ask for other sites',
      { host_permissions: ['https://a.example/*'] },
      { host_permissions: ['https://b.example/*'] },
      {
        hosts: { added: ['https://b.example/*'], removed: ['https://a.example/*'] },
        warnings: ['Access to "https://b.example/*"'],
      },
    ],
    [
      'ask for all sites',
      { host_permissions: ['https://a.example/*'] },
      { host_permissions: ['<all_urls>'] },
      {
        hosts: { added: ['<all_urls>'], removed: ['https://a.example/*'] },
        warnings: ['Read and change all your data on all websites'],
      },
    ],
    [
      'ask for others while they run',
      { optional_permissions: ['tabs'] },
      { optional_host_permissions: ['<all_urls>'] },
      { optional: { added: ['<all_urls>'], removed: ['tabs'] } },
    ],
    [
      'give a permission other parameters',
      { permissions: [{ usbDevices: [1] }] },
      { permissions: [{ usbDevices: [2] }] },
      key('permissions', '[{"usbDevices":[1]}]', '[{"usbDevices":[2]}]'),
    ],
    ['have a long value', {}, { note: 'x'.repeat(400) }, key('note', null, `"${'x'.repeat(299)}…`)],
  ])('%s', (_, before, after, differing) => {
    expect(comparePackages(packageOf(before), packageOf(after))).toEqual({ ...SAME, ...differing });
  });

  it('that differ in thousands of keys are cut, and all are counted', () => {
    const keys = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`key${at}`, at]));
    const { changed, items } = comparePackages(packageOf({}), packageOf(keys)).manifest;
    expect([changed, items.length]).toEqual([3000, MAX_CHANGES]);
  });
});

describe('the files of two packages', () => {
  it('were added, removed and changed, by size or by content alone', () => {
    const before = [file('gone.js', 3), file('larger.js', 5), file('other.js', 7, 1), file('same.js', 9)];
    const after = [file('same.js', 9), file('other.js', 7, 2), file('new.js', 0), file('larger.js', 6)];
    expect(comparePackages(packageOf({}, before), packageOf({}, after)).files).toEqual({
      added: 1,
      removed: 1,
      changed: 2,
      items: [
        { path: 'gone.js', before: 3, after: null },
        { path: 'larger.js', before: 5, after: 6 },
        { path: 'new.js', before: null, after: 0 },
        { path: 'other.js', before: 7, after: 7 },
      ],
    });
  });

  const files = fc.uniqueArray(
    fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat(3), fc.nat(2)).map((made) => file(...made)),
    { selector: ({ path }) => path },
  );

  it('are changed back by what leads back, and account for every file', () => {
    fc.assert(
      fc.property(files, files, (before, after) => {
        const there = comparePackages(packageOf({}, before), packageOf({}, after)).files;
        const back = comparePackages(packageOf({}, after), packageOf({}, before)).files;
        const turned = there.items.map((one) => ({ path: one.path, before: one.after, after: one.before }));
        expect([back.items, back.added, back.removed]).toEqual([turned, there.removed, there.added]);
        expect(before.length + there.added - there.removed).toBe(after.length);
        const same = after.filter((one) => there.items.every(({ path }) => path !== one.path));
        for (const one of same) expect(before).toContainEqual(one);
        expect(same.length + there.added + there.changed).toBe(after.length);
      }),
    );
  });
});

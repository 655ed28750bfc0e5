import { describe, expect, it } from 'vitest';
import { conflictsOf, idsIn } from './target-edit';

type Target = Parameters<typeof conflictsOf>[0];

const TARGET = { storeItemId: '1', platforms: ['ios'], enabled: true, releaseNotes: null } as unknown as Target;

describe('the settings of a target', () => {
  it('show what others changed meanwhile beside what would be written', () => {
    const now = { ...TARGET, platforms: ['ios', 'macos'], enabled: false, releaseNotes: '' } as Target;
    expect(conflictsOf(TARGET, now, { platforms: [], storeItemId: '2' })).toEqual([
      { name: 'enabled', label: 'Publish to this store', theirs: 'off', mine: null },
      { name: 'platforms', label: 'Platforms', theirs: 'iOS, macOS', mine: '' },
      { name: 'releaseNotes', label: 'Release notes', theirs: 'nothing', mine: null },
    ]);
  });

  it('have no conflict where others changed nothing, also where a list is another object', () => {
    expect(conflictsOf(TARGET, { ...TARGET, platforms: ['ios'] }, { storeItemId: '2' })).toEqual([]);
  });
});

describe('the address of an item', () => {
  const stores = [
    { id: 'chrome', title: 'Chrome Web Store', item: { urls: ['chrome\\.example/(?<storeItemId>[a-p]+)'] } },
    {
      id: 'edge',
      title: 'Edge Add-ons',
      item: { urls: ['edge\\.example/d/(?<crxId>[a-p]+)', 'edge\\.example/p/(?<storeItemId>.+)'] },
    },
    { id: 'firefox', title: 'Add-ons', item: { urls: ['amo\\.example/(?<slug>[^/]+)', 'amo\\.example()'] } },
  ] as unknown as Parameters<typeof idsIn>[1];

  it.each([
    ['chrome', ' https://chrome.example/abc ', { ids: { storeItemId: 'abc' } }],
    ['edge', 'https://edge.example/d/abc', { ids: { crxId: 'abc' } }],
    ['edge', 'https://edge.example/p/a%20b', { ids: { storeItemId: 'a b' } }],
    ['edge', 'https://chrome.example/abc', { fault: 'This is an address of Chrome Web Store.' }],
    [
      'firefox',
      'https://amo.example/owl',
      { fault: 'This address names the add-on without its id. Copy the id from its manifest.' },
    ],
    [
      'chrome',
      'https://elsewhere.example/abc',
      { fault: 'No store has such addresses. Copy the address of the listing or of the dashboard.' },
    ],
  ] as const)('for %s, %s gives %j', (store, url, found) => {
    expect(idsIn(url, stores, store)).toEqual(found);
  });
});

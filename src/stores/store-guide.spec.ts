import { describe, expect, it } from 'vitest';
import type { StoreId } from './store.js';
import type { StoreGuide } from './store-guide.js';
import { GUIDE as chrome } from './chrome/chrome.guide.js';
import { GUIDE as edge } from './edge/edge.guide.js';
import { GUIDE as firefox } from './firefox/firefox.guide.js';
import { GUIDE as safari } from './safari/safari.guide.js';

const GUIDES: Readonly<Record<StoreId, StoreGuide>> = { chrome, firefox, edge, safari };

const CRX = 'mbfmigdfhnnjhoelkijjpaoabcdefghi';
const GUID = '3c2f8c1e-5f0a-4c62-9a77-0d1c2b3a4f5e';
const PUBLISHER = '9f5a41aa-2b1c-4d3e-8f90-123456789abc';

/** Every store that knows the URL, with what the URL names. */
const read = (url: string): readonly unknown[] =>
  Object.entries(GUIDES).flatMap(([store, { item }]) =>
    item.urls.flatMap((pattern) => {
      const groups = pattern.exec(url)?.groups;
      const named = Object.entries(groups ?? {}).filter(([, value]) => value !== undefined);
      return groups === undefined ? [] : [{ store, ...Object.fromEntries(named) }];
    }),
  );

describe('the URL of an item', () => {
  it.each<[string, unknown]>([
    [`https://chromewebstore.google.com/detail/tab-counter/${CRX}`, { store: 'chrome', storeItemId: CRX }],
    [`https://chromewebstore.google.com/detail/tab-counter/${CRX}?hl=de&pli=1`, { store: 'chrome', storeItemId: CRX }],
    [
      `https://chromewebstore.google.com/detail/%E3%82%BF%E3%83%96/${CRX}/reviews`,
      { store: 'chrome', storeItemId: CRX },
    ],
    [`https://chromewebstore.google.com/detail/${CRX}`, { store: 'chrome', storeItemId: CRX }],
    [`https://chrome.google.com/webstore/detail/tab-counter/${CRX}?hl=en`, { store: 'chrome', storeItemId: CRX }],
    [
      `https://chrome.google.com/webstore/devconsole/${PUBLISHER}/${CRX}/edit/listing`,
      { store: 'chrome', publisherId: PUBLISHER, storeItemId: CRX },
    ],
    [
      `https://chrome.google.com/u/1/webstore/devconsole/${PUBLISHER}/${CRX}/edit`,
      { store: 'chrome', publisherId: PUBLISHER, storeItemId: CRX },
    ],
    [`https://chrome.google.com/webstore/devconsole/${PUBLISHER}?hl=de`, { store: 'chrome', publisherId: PUBLISHER }],
    ['https://addons.mozilla.org/en-US/firefox/addon/tab-counter/', { store: 'firefox', slug: 'tab-counter' }],
    ['https://addons.mozilla.org/de/android/addon/tab-counter?utm_source=x', { store: 'firefox', slug: 'tab-counter' }],
    ['https://addons.mozilla.org/addon/tab-counter', { store: 'firefox', slug: 'tab-counter' }],
    [
      'https://addons.mozilla.org/en-US/developers/addon/tab-counter/versions',
      { store: 'firefox', slug: 'tab-counter' },
    ],
    [
      'https://addons.mozilla.org/developers/addon/tab-counter/edit#edit-addon-basic',
      { store: 'firefox', slug: 'tab-counter' },
    ],
    [
      'https://addons.mozilla.org/firefox/addon/tab-counter@example.com/',
      { store: 'firefox', storeItemId: 'tab-counter@example.com' },
    ],
    [`https://addons.mozilla.org/firefox/addon/%7B${GUID}%7D/`, { store: 'firefox', storeItemId: `%7B${GUID}%7D` }],
    ['https://addons.allizom.org/en-US/firefox/addon/tab-counter/', { store: 'firefox', slug: 'tab-counter' }],
    [`https://microsoftedge.microsoft.com/addons/detail/tab-counter/${CRX}`, { store: 'edge', crxId: CRX }],
    [`https://microsoftedge.microsoft.com/addons/detail/${CRX}?hl=en-US`, { store: 'edge', crxId: CRX }],
    [
      `https://partner.microsoft.com/en-us/dashboard/microsoftedge/${GUID}/packages/dashboard`,
      { store: 'edge', storeItemId: GUID },
    ],
    [`https://partner.microsoft.com/dashboard/microsoftedge/${GUID}`, { store: 'edge', storeItemId: GUID }],
    ['https://apps.apple.com/us/app/tab-counter/id1234567890', { store: 'safari', storeItemId: '1234567890' }],
    ['https://apps.apple.com/app/id1234567890?mt=12', { store: 'safari', storeItemId: '1234567890' }],
    ['https://itunes.apple.com/de/app/tab-counter/id1234567890', { store: 'safari', storeItemId: '1234567890' }],
    [
      'https://appstoreconnect.apple.com/apps/1234567890/distribution/macos/version/inflight',
      { store: 'safari', storeItemId: '1234567890' },
    ],
  ])('%s names it', (url, named) => {
    expect(read(url)).toEqual([named]);
  });

  it.each([
    `https://chromewebstore.google.com/detail/tab-counter/${CRX}x`,
    `https://chromewebstore.google.com/search/${CRX}`,
    `https://chromewebstore.google.com.evil.example/detail/x/${CRX}`,
    `http://example.com/https://chromewebstore.google.com/detail/x/${CRX}`,
    'https://chrome.google.com/webstore/devconsole',
    'https://addons.mozilla.org/en-US/developers/addons',
    'https://addons.mozilla.org/developers/addon/submit/distribution',
    'https://addons.mozilla.org/developers/addon/api/key/',
    'https://partner.microsoft.com/dashboard/microsoftedge/overview',
    'https://appstoreconnect.apple.com/apps',
    'https://apps.apple.com/us/developer/somebody/id123',
    '',
  ])('%j names none', (url) => {
    expect(read(url)).toEqual([]);
  });
});

describe.each(Object.entries(GUIDES))('the guide of %s', (_, { steps, links, item }) => {
  it('has short steps, each a sentence with its page, and links by title', () => {
    for (const { text, url } of steps) {
      expect(text).toMatch(/^[A-Z].{10,140}\.$/);
      expect(new URL(url).protocol).toBe('https:');
    }
    for (const { title, url } of links) {
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(new URL(url).protocol).toBe('https:');
    }
    expect(steps.length).toBeGreaterThan(1);
    expect(item.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['storeItemId']);
  });
});

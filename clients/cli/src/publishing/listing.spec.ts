import { expect, it } from '@jest/globals';
import { listingUrl, messageOf } from './listing.js';
import type { Target } from './targets.js';

const CRX = 'abcdefghijklmnopabcdefghijklmnop';

it.each<[string, Partial<Target>, string | null]>([
  ['Chrome', { store: 'chrome', storeItemId: CRX }, `https://chromewebstore.google.com/detail/${CRX}`],
  [
    'Firefox',
    { store: 'firefox', storeItemId: 'a@b.example', channel: 'listed' },
    'https://addons.mozilla.org/addon/a%40b.example/',
  ],
  [
    'Edge',
    { store: 'edge', storeItemId: 'product', crxId: CRX },
    `https://microsoftedge.microsoft.com/addons/detail/${CRX}`,
  ],
  ['Safari', { store: 'safari', storeItemId: '1234567890' }, 'https://apps.apple.com/app/id1234567890'],
  ['an unlisted add-on', { store: 'firefox', storeItemId: 'a@b.example', channel: 'unlisted' }, null],
  ['Edge without its public id', { store: 'edge', storeItemId: 'product' }, null],
  ['an app by its bundle', { store: 'safari', storeItemId: 'com.example.app' }, null],
  ['no item', { store: 'chrome', storeItemId: null }, null],
])('the listing of %s', (_case, target, url) => {
  expect(listingUrl({ crxId: null, channel: null, ...target } as Target)).toBe(url);
});

it('a target that is live is shown with its listing, and others are not', () => {
  const target = { store: 'chrome', storeItemId: CRX, crxId: null } as Target;
  const versions = { liveVersion: '1.0', desiredVersion: '1.0' };
  const status = { message: 'Version 1.0 is live.', phase: 'live', ...versions } as Target['status'];
  expect(messageOf({ ...target, status })).toBe(`Version 1.0 is live. https://chromewebstore.google.com/detail/${CRX}`);
  expect(messageOf({ ...target, status: { ...status, message: 'Waiting.', phase: 'queued' } })).toBe('Waiting.');
});

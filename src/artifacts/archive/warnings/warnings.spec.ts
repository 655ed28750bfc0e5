import { describe, expect, it } from '@jest/globals';
import type { PackageManifest } from '../manifest.js';
import { accessOf, inOneText, type PushTarget, type Push, pushWarnings } from './warnings.js';

const MANIFEST: PackageManifest = {
  name: 'Harbour',
  version: '2.0',
  versionName: null,
  manifestVersion: 3,
  permissions: ['storage'],
  hostPermissions: [],
  optionalPermissions: [],
  grantingKeys: [],
  geckoId: 'harbour@example.org',
  declaresDataCollection: true,
};
const LIVE = { version: '1.0', permissions: ['storage'], hostPermissions: [] };
const STORE: PushTarget = {
  store: 'plain',
  title: 'Plain Store',
  enabled: true,
  capabilities: { maxPackageBytes: 200_000_000 },
  requiresManifestV3: false,
  manifestV2EndsOn: null,
  needsGeckoId: false,
  otherItem: null,
  needsDataCollectionPermissions: false,
  findings: [],
  needsNotes: false,
};
const V3_ONLY: PushTarget = { ...STORE, store: 'v3', title: 'Third Store', requiresManifestV3: true };
const GECKO: PushTarget = { ...STORE, store: 'gecko', title: 'Lizard Add-ons', needsGeckoId: true };
const ENDING: PushTarget = { ...STORE, title: 'Fading Store', manifestV2EndsOn: '2026-12-31' };
const CONSENT: PushTarget = { ...STORE, title: 'Asking Add-ons', needsDataCollectionPermissions: true };
const NOTED: PushTarget = { ...STORE, title: 'Wordy Store', needsNotes: true };
const UNLIMITED: PushTarget = { ...STORE, capabilities: { maxPackageBytes: null } };
const off = (destination: PushTarget): PushTarget => ({ ...destination, enabled: false });

function warning(manifest: Partial<PackageManifest>, push: Partial<Push> = {}): string | undefined {
  return inOneText(
    pushWarnings({
      manifest: { ...MANIFEST, ...manifest },
      size: 1000,
      hasNotes: null,
      previous: LIVE,
      destinations: [STORE],
      ...push,
    }),
  );
}

const ASKS = 'Unlike version 1.0, which is live, this one asks for';
const HURTS = 'browsers disable the extension, or hold the update back, until the user accepts';
const READ_HISTORY = '"Read your browsing history"';

describe('a push warns', () => {
  it.each<[string, Partial<PackageManifest>, Partial<Push>, string]>([
    ['of a new permission', { permissions: ['tabs'] }, {}, `${ASKS} the permission "tabs": ${HURTS} ${READ_HISTORY}.`],
    [
      'of new permissions',
      { permissions: ['storage', 'tabs', 'bookmarks'] },
      {},
      `${ASKS} the permissions "tabs" and "bookmarks": ${HURTS} ${READ_HISTORY} and "Read and change your bookmarks".`,
    ],
    [
      'of new hosts',
      { hostPermissions: ['https://a.example/*'] },
      {},
      `${ASKS} access to "https://a.example/*": ${HURTS}.`,
    ],
    [
      'of both, and does not name without end',
      { permissions: ['tabs'], hostPermissions: Array.from({ length: 10 }, (_, i) => `https://${i}.example/*`) },
      {},
      `${ASKS} the permission "tabs" and access to ${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `"https://${i}.example/*"`).join(', ')} and 2 more: ${HURTS} ${READ_HISTORY}.`,
    ],
    [
      'that nothing will receive it',
      {},
      { destinations: [off(STORE)] },
      'No enabled target will receive this version.',
    ],
    ['that there is no target', {}, { destinations: [] }, 'No enabled target will receive this version.'],
    [
      'of Manifest V2 where only V3 is taken',
      { manifestVersion: 2 },
      { destinations: [V3_ONLY, GECKO] },
      'This is a Manifest V2 package, and Third Store accepts only Manifest V3.',
    ],
    [
      'of Manifest V2 where its end is announced',
      { manifestVersion: 2 },
      { destinations: [ENDING, GECKO] },
      'This is a Manifest V2 package, whose support at Fading Store ends on 2026-12-31.',
    ],
    [
      'of a manifest that does not say which data is collected, where it must',
      { declaresDataCollection: false },
      { destinations: [CONSENT, STORE] },
      'The manifest has no browser_specific_settings.gecko.data_collection_permissions, which Asking Add-ons requires of new add-ons and will require of all.',
    ],
    [
      'of a missing Gecko id where one is needed',
      { geckoId: null },
      { destinations: [V3_ONLY, GECKO] },
      'The manifest has no browser_specific_settings.gecko.id, which Lizard Add-ons requires.',
    ],
    [
      "of another item's Gecko id",
      {},
      { destinations: [{ ...GECKO, otherItem: 'other@example.org' }] },
      'The manifest\'s browser_specific_settings.gecko.id is "harbour@example.org", but the target at Lizard Add-ons is "other@example.org", which refuses the package.',
    ],
    [
      'of missing release notes where a store refuses an update without',
      {},
      { hasNotes: false, destinations: [NOTED, STORE] },
      'This push has no release notes, and Wordy Store refuses an update without them. Push with notes, or give the target some for all versions.',
    ],
    [
      'of a size near the limit',
      {},
      { size: 180_000_000 },
      'The package is 180 MB, close to the 200 MB that Plain Store accepts.',
    ],
    [
      'of a size beyond the limit',
      {},
      { size: 200_000_001 },
      'The package is 200.1 MB, more than the 200 MB that Plain Store accepts.',
    ],
    [
      'of several things at once, also before any target is enabled',
      { manifestVersion: 2, geckoId: null },
      { destinations: [off(V3_ONLY), off(GECKO)] },
      'No enabled target will receive this version. This is a Manifest V2 package, and Third Store accepts only Manifest V3.',
    ],
  ])('%s', (_case, manifest, push, text) => {
    expect(warning(manifest, push)).toBe(text);
  });

  it.each<[string, Partial<PackageManifest>, Partial<Push>]>([
    ['when nothing changed', {}, {}],
    ['when a push has the release notes that a store requires', {}, { hasNotes: true, destinations: [NOTED] }],
    ['of release notes while it is not known whether there are some', {}, { hasNotes: null, destinations: [NOTED] }],
    ['of release notes where no store requires some', {}, { hasNotes: false }],
    ['when nothing is live', { permissions: ['tabs'], hostPermissions: ['<all_urls>'] }, { previous: null }],
    ['of permissions that no browser mentions', { permissions: ['storage', 'alarms', 'scripting'] }, {}],
    ['of permissions asked for at run time', { optionalPermissions: ['tabs', '<all_urls>'] }, {}],
    ['of permissions given up', { permissions: [] }, {}],
    ['of data collection where nobody asks', { declaresDataCollection: false }, {}],
    [
      'of a host that is open already by a permission',
      { permissions: ['proxy'], hostPermissions: ['https://a.example/*'] },
      { previous: { ...LIVE, permissions: ['proxy'] } },
    ],
    [
      'of a host that is open already',
      { hostPermissions: ['https://a.example/*', '<all_urls>'] },
      { previous: { ...LIVE, hostPermissions: ['<all_urls>'] } },
    ],
    ['of stores that are switched off', { manifestVersion: 2 }, { destinations: [off(V3_ONLY), GECKO] }],
    ['of a size below nine tenths', {}, { size: 179_999_999 }],
    ['of a size where there is no limit', {}, { size: 9e12, destinations: [UNLIMITED] }],
  ])('not %s', (_case, manifest, push) => {
    expect(warning(manifest, push)).toBeUndefined();
  });
});

describe('a new user accepts', () => {
  it.each<[string, readonly string[], readonly string[], readonly unknown[]]>([
    ['nothing for what browsers ask nothing about', ['storage', 'alarms'], [], []],
    [
      'each permission in the words of browsers',
      ['tabs', 'bookmarks'],
      [],
      ['Read your browsing history', 'Read and change your bookmarks'],
    ],
    [
      'sites by name',
      [],
      ['https://a.example/*', 'https://b.example/*'],
      ['Access to "https://a.example/*" and "https://b.example/*"'],
    ],
    [
      'all sites once',
      ['tabs'],
      ['<all_urls>', 'https://a.example/*'],
      ['Read and change all your data on all websites'],
    ],
    [
      'names without end',
      [],
      Array.from({ length: 10 }, (_, i) => `https://${i}.example/*`),
      [expect.stringMatching(/^Access to .* and 2 more$/)],
    ],
  ])('%s', (_case, permissions, hostPermissions, access) => {
    expect(accessOf({ permissions, hostPermissions })).toEqual(access);
  });
});

import { describe, expect, it } from 'vitest';
import type { StoreFinding } from '../../../stores/pure.js';
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
};
const LIVE = { version: '1.0', permissions: ['storage'], hostPermissions: [] };
const STORE: PushTarget = {
  title: 'Plain Store',
  enabled: true,
  findings: [],
  unknownLocales: [],
  cutsNotesAt: null,
  needsNotes: false,
};
const finding = (severity: StoreFinding['severity'], what: string): StoreFinding => ({
  id: 'chrome-code-00000000',
  store: 'chrome',
  code: 'code',
  severity,
  what,
  file: 'manifest.json',
  source: 'https://example.com',
});
const V3_ONLY: PushTarget = { ...STORE, title: 'Third Store', findings: [finding('refused', 'it is old')] };
const ENDING: PushTarget = { ...STORE, title: 'Fading Store', findings: [finding('warning', 'it is old')] };
const GECKO: PushTarget = { ...STORE, title: 'Lizard Add-ons' };
const NOTED: PushTarget = { ...STORE, title: 'Wordy Store', needsNotes: true };
const off = (destination: PushTarget): PushTarget => ({ ...destination, enabled: false });

function warning(manifest: Partial<PackageManifest>, push: Partial<Push> = {}): string | undefined {
  return inOneText(
    pushWarnings({
      manifest: { ...MANIFEST, ...manifest },
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

describe('a push warns of release notes', () => {
  it.each<[string, Partial<PushTarget>[], readonly string[]]>([
    ['that fit, of nothing', [{}], []],
    [
      'in a language that a store does not have, each store once',
      [{ unknownLocales: ['eo'] }, { unknownLocales: ['eo'] }],
      ['Plain Store has no listings in eo, and gets no release notes for it.'],
    ],
    [
      'in several, and of what it cuts',
      [{ unknownLocales: ['eo', 'la'], cutsNotesAt: 3000 }],
      [
        'Plain Store has no listings in eo and la, and gets no release notes for them.',
        'Plain Store gets only the first 3000 characters of the release notes.',
      ],
    ],
    ['at stores that get the version', [{ unknownLocales: ['eo'], enabled: false }, {}], []],
  ])('%s', (_title, targets, sentences) => {
    const destinations = targets.map((each) => ({ ...STORE, ...each }));
    const push = { manifest: MANIFEST, hasNotes: true, previous: null, destinations };
    expect(pushWarnings(push)).toEqual(sentences.map((message) => ({ kind: 'notes', message })));
  });
});

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
    ['of what a store refuses', {}, { destinations: [V3_ONLY, GECKO] }, 'Third Store refuses this package: it is old.'],
    [
      'of what stores refuse, once',
      {},
      { destinations: [V3_ONLY, { ...V3_ONLY, title: 'Other Store' }] },
      'Third Store and Other Store refuse this package: it is old.',
    ],
    ['of what may hurt', {}, { destinations: [ENDING, GECKO] }, 'Fading Store: it is old.'],
    [
      'of what is refused before what may hurt',
      {},
      { destinations: [ENDING, V3_ONLY] },
      'Third Store refuses this package: it is old. Fading Store: it is old.',
    ],
    [
      'of findings without end',
      {},
      {
        destinations: [{ ...STORE, findings: Array.from({ length: 9 }, (_, at) => finding('note', `${at} is wrong`)) }],
      },
      `${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `Plain Store: ${at} is wrong.`).join(' ')} 1 more findings like these.`,
    ],
    [
      'of missing release notes where a store refuses an update without',
      {},
      { hasNotes: false, destinations: [NOTED, STORE] },
      'This push has no release notes, and Wordy Store refuses an update without them. Push with notes, or give the target some for all versions.',
    ],
    [
      'of several things at once, also before any target is enabled',
      {},
      { destinations: [off(V3_ONLY), off(GECKO)] },
      'Third Store refuses this package: it is old. No enabled target will receive this version.',
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
    ['of stores that are switched off', {}, { destinations: [off(V3_ONLY), GECKO] }],
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

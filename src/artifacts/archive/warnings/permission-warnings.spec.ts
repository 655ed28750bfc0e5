import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { newWarnings, warningsOf, type RequestedAccess } from './permission-warnings.js';

const asked = (
  permissions: readonly string[],
  hostPermissions: readonly string[] = [],
  grantingKeys: NonNullable<RequestedAccess['grantingKeys']> = [],
): RequestedAccess => ({ permissions, hostPermissions, grantingKeys });
const ALL_SITES = 'Read and change all your data on all websites';
const READ_HISTORY = 'Read your browsing history';

describe('a permission', () => {
  // https://developer.chrome.com/docs/extensions/reference/permissions-list
  it.each([
    ['accessibilityFeatures.modify', 'Change your accessibility settings'],
    ['accessibilityFeatures.read', 'Read your accessibility settings'],
    ['bookmarks', 'Read and change your bookmarks'],
    ['clipboardRead', 'Read data you copy and paste'],
    ['clipboardWrite', 'Modify data you copy and paste'],
    ['contentSettings', expect.stringMatching(/^Change and grant access to features such as geolocation/)],
    ['declarativeNetRequest', 'Block content on any page'],
    ['declarativeNetRequestFeedback', READ_HISTORY],
    ['desktopCapture', 'Capture content of your screen'],
    ['downloads', 'Manage your downloads'],
    ['downloads.open', 'Open downloaded files'],
    ['favicon', 'Read the icons of the websites you visit'],
    ['geolocation', 'Detect your physical location'],
    ['history', 'Read and change your browsing history on all your signed-in devices'],
    ['identity.email', 'Know your email address'],
    ['management', 'Manage your apps, extensions, and themes'],
    ['nativeMessaging', 'Communicate with cooperating native applications'],
    ['notifications', 'Display notifications'],
    ['pageCapture', ALL_SITES],
    ['privacy', 'Change your privacy-related settings'],
    ['processes', READ_HISTORY],
    ['proxy', ALL_SITES],
    ['readingList', 'Read and change entries in the reading list'],
    ['system.storage', 'Identify and eject storage devices'],
    ['tabCapture', ALL_SITES],
    ['tabGroups', 'View and manage your tab groups'],
    ['tabs', READ_HISTORY],
    ['topSites', 'Read a list of your most frequently visited websites'],
    ['ttsEngine', 'Read all text spoken using synthesized speech'],
    ['webAuthenticationProxy', ALL_SITES],
    ['webNavigation', READ_HISTORY],
  ])('%s warns: %s', (permission, warning) => {
    expect([...warningsOf(asked([permission])).keys()]).toEqual([warning]);
  });

  it('debugger warns of both that it does', () => {
    expect([...warningsOf(asked(['debugger'])).keys()]).toEqual(['Access the page debugger backend', ALL_SITES]);
  });

  it.each([
    'activeTab',
    'alarms',
    'audio',
    'background',
    'browsingData',
    'contextMenus',
    'cookies',
    'declarativeContent',
    'declarativeNetRequestWithHostAccess',
    'dns',
    'downloads.ui',
    'fontSettings',
    'gcm',
    'identity',
    'idle',
    'offscreen',
    'power',
    'scripting',
    'search',
    'sessions',
    'sidePanel',
    'storage',
    'system.cpu',
    'system.display',
    'system.memory',
    'tts',
    'unlimitedStorage',
    'userScripts',
    'webRequest',
    'webRequestAuthProvider',
    'webRequestBlocking',
    'somethingNew',
    'toString',
    '<all',
  ])('%s raises none', (permission) => {
    expect(warningsOf(asked([permission])).size).toBe(0);
  });
});

describe('a key of the manifest', () => {
  it.each([
    ['devtools_page', ALL_SITES],
    ['chrome_url_overrides.newtab', 'Replace the page you see when opening a new tab'],
  ] as const)('%s warns: %s', (key, warning) => {
    expect([...warningsOf(asked([], [], [key])).keys()]).toEqual([warning]);
  });
});

describe('an update', () => {
  it.each<[string, RequestedAccess, RequestedAccess, readonly string[], readonly string[]]>([
    [
      'that adds what another permission speaks for',
      asked(['history']),
      asked(['history', 'tabs', 'topSites']),
      [],
      [],
    ],
    [
      'that adds tabs beside all sites',
      asked([], ['<all_urls>']),
      asked(['tabs', 'webNavigation'], ['<all_urls>']),
      [],
      [],
    ],
    ['that adds a second way to what is known', asked(['tabs']), asked(['tabs', 'webNavigation']), [], []],
    ['that adds another way to all sites', asked([], ['*://*/*']), asked(['proxy'], ['*://*/*']), [], []],
    ['that only gives up', asked(['tabs', 'sessions']), asked(['tabs']), [], []],
    [
      'that gives one up and adds one without a warning',
      asked(['tabs', 'sessions']),
      asked(['tabs', 'storage']),
      [],
      [],
    ],
    [
      'that makes two permissions mean more together',
      asked(['tabs']),
      asked(['tabs', 'sessions']),
      ['Read your browsing history on all your signed-in devices'],
      ['sessions'],
    ],
    [
      'that adds two under one warning',
      asked([]),
      asked(['tabs', 'history']),
      ['Read and change your browsing history on all your signed-in devices'],
      ['tabs', 'history'],
    ],
    ['that opens all sites by a permission', asked([]), asked(['proxy', 'tabs']), [ALL_SITES], ['proxy', 'tabs']],
    ['that adds developer tools', asked([]), asked([], [], ['devtools_page']), [ALL_SITES], ['devtools_page']],
    [
      'of a version pushed before its keys were kept',
      { permissions: [], hostPermissions: [] },
      asked(['tabs'], [], ['devtools_page']),
      [],
      [],
    ],
    ['that asks for all sites in another way', asked([], ['https://*.com/*']), asked([], ['*://*/*']), [], []],
    ['that opens all sites by a pattern', asked(['tabs']), asked(['tabs'], ['https://*/*']), [ALL_SITES], []],
  ])('%s', (_, before, after, warnings, permissions) => {
    expect(newWarnings(before, after)).toEqual({ warnings, permissions });
  });

  it('to the same or less warns of nothing', () => {
    const some = fc.subarray([
      'tabs',
      'history',
      'sessions',
      'debugger',
      'favicon',
      'proxy',
      'storage',
      'clipboardRead',
      'clipboardWrite',
    ]);
    fc.assert(
      fc.property(some, some, (held, kept) => {
        const less = held.filter((each) => kept.includes(each));
        expect(newWarnings(asked(held), asked(less))).toEqual({ warnings: [], permissions: [] });
      }),
    );
  });
});

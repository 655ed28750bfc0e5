import { asText } from '../../common/net/pure.js';
import type { PackageFacts, PreflightRule } from './preflight.js';
import { valuesAt, type Placed } from './values.js';

/** A browser's list of the permissions that it knows. */
export interface KnownPermissions {
  readonly names: ReadonlySet<string>;
  readonly source: string;
}

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Those of Chrome Apps and of system extensions are left out. */
export const CHROMIUM_PERMISSIONS: KnownPermissions = {
  source: 'https://developer.chrome.com/docs/extensions/reference/permissions-list',
  names: names(`
    accessibilityFeatures.modify accessibilityFeatures.read activeTab aiLanguageModelOriginTrial alarms audio background bookmarks
    browsingData certificateProvider clipboardRead clipboardWrite contentSettings contextMenus cookies debugger declarativeContent
    declarativeNetRequest declarativeNetRequestFeedback declarativeNetRequestWithHostAccess declarativeWebRequest desktopCapture dns
    documentScan downloads downloads.open downloads.shelf downloads.ui enterprise.deviceAttributes enterprise.hardwarePlatform
    enterprise.kioskInput enterprise.login enterprise.networkingAttributes enterprise.platformKeys experimental favicon fileBrowserHandler
    fileSystemProvider fontSettings gcm geolocation history identity identity.email idle input loginScreenStorage loginState management
    nativeMessaging notifications offscreen pageCapture platformKeys power printerProvider printing printingMetrics privacy processes
    proxy readingList scripting search sessions sidePanel signedInDevices storage system.cpu system.display system.memory
    system.storage systemLog tabCapture tabGroups tabs topSites tts ttsEngine unlimitedStorage userScripts vpnProvider wallpaper
    webAuthenticationProxy webNavigation webRequest webRequestAuthProvider webRequestBlocking`),
};

/** As addons-linter's schema of the manifest lists them. */
export const FIREFOX_PERMISSIONS: KnownPermissions = {
  source: 'https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/manifest.json/permissions',
  names: names(`
    activeTab activityLog alarms bookmarks browserSettings browsingData captivePortal clipboardRead clipboardWrite contextMenus
    contextualIdentities cookies declarativeNetRequest declarativeNetRequestFeedback declarativeNetRequestWithHostAccess devtools dns
    downloads downloads.open find geckoProfiler geolocation history identity idle management menus menus.overrideContext mozillaAddons
    nativeMessaging networkStatus notifications pkcs11 privacy proxy publicSuffix scripting search sessions storage tabGroups tabHide
    tabs telemetry theme topSites trialML unlimitedStorage userScripts webNavigation webRequest webRequestAuthProvider
    webRequestBlocking webRequestFilterResponse webRequestFilterResponse.serviceWorkerScript`),
};

/** Of those that are looked at; browsers have a hundred. */
const MAX_PERMISSIONS = 1000;

/** Permissions of neither a host nor the browser's own components. */
const named = (manifest: PackageFacts['manifest']): readonly (Placed & { readonly name: string })[] =>
  ['permissions[]', 'optional_permissions[]']
    .flatMap((place) => valuesAt(manifest, place).slice(0, MAX_PERMISSIONS))
    .flatMap((placed) => {
      const name = asText(placed.value) ?? '';
      const isHost = name === '' || name === '<all_urls>' || /[:*/]/.test(name) || name.endsWith('Private');
      return isHost ? [] : [{ ...placed, name }];
    });

/** A permission that no browser knows is misspelled; another browser's is ignored. */
export const unknownPermissions = (own: KnownPermissions, others: KnownPermissions): readonly PreflightRule[] => [
  {
    code: 'unknown_permission',
    severity: 'warning',
    about: 'A permission is none that a browser knows.',
    source: own.source,
    confirmedBy: [],
    find: ({ manifest }) =>
      named(manifest)
        .filter(({ name }) => !own.names.has(name) && !others.names.has(name))
        .map(({ path, name }) => ({ what: `${path} is "${name}", which is no permission`, path, thing: name })),
  },
  {
    code: 'foreign_permission',
    severity: 'note',
    about: "A permission is another browser's, and is ignored.",
    source: own.source,
    confirmedBy: [],
    find: ({ manifest }) =>
      named(manifest)
        .filter(({ name }) => !own.names.has(name) && others.names.has(name))
        .map(({ path, name }) => ({
          what: `${path} is "${name}", which is another browser's permission, and is ignored`,
          path,
          thing: name,
        })),
  },
];

const BROAD = /^(?:<all_urls>|(?:\*|https?):\/\/\*\/.*)$/s;

/** Reviewers look longer at extensions that read all sites. */
export const broadHosts: PreflightRule = {
  code: 'broad_hosts',
  severity: 'note',
  about: 'The extension may access all sites, which its reviewers look at for longer.',
  source: 'https://developer.chrome.com/docs/webstore/review-process',
  confirmedBy: [],
  find: ({ manifest }) => {
    const asked = ['host_permissions[]', 'permissions[]', 'content_scripts[].matches[]'].flatMap((place) =>
      valuesAt(manifest, place).filter(({ value }) => typeof value === 'string' && BROAD.test(value)),
    );
    const [first] = asked;
    return first === undefined
      ? []
      : [
          {
            what: `${first.path} opens all sites, so that the review may take longer. activeTab, or the sites that are needed, may do`,
            path: first.path.split('[', 1)[0] ?? '',
          },
        ];
  },
};

import { asList, asRecord, asText } from '../../common/net/pure.js';
import {
  absentInFirefox,
  absentPage,
  absentResource,
  badPatterns,
  CHROMIUM_PERMISSIONS,
  emptyLocale,
  evalInFirefox,
  FIREFOX_PERMISSIONS,
  forDevelopment,
  iconSize,
  ignoredHosts,
  ignoredKeys,
  leftOver,
  locales,
  longText,
  oblongIcon,
  type PackageFacts,
  type PreflightRule,
  remoteScripts,
  size,
  sourceMaps,
  unknownPermissions,
  valuesAt,
  wrongValues,
} from '../preflight/pure.js';
import { compareVersions } from '../version.js';
import { FIREFOX_VALUES } from './firefox.values.js';

/** Bytes of a package. */
export const FIREFOX_MAX_BYTES = 200_000_000;

const LINTER = 'https://github.com/mozilla/addons-linter/blob/master/src/messages';
const DATA_CONSENT = 'https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/';
const IDS = 'https://extensionworkshop.com/documentation/develop/extensions-and-the-add-on-id/';

type Manifest = PackageFacts['manifest'];

/** The manifest's members for Firefox; the older key counts where there is no newer one. */
const SETTINGS = ['browser_specific_settings', 'applications'] as const;
const geckoOf = (manifest: Manifest, key: string): Readonly<Record<string, unknown>> | undefined =>
  asRecord(asRecord(manifest[key])?.['gecko']);
const geckoIdOf = (manifest: Manifest): string | undefined =>
  SETTINGS.map((key) => asText(geckoOf(manifest, key)?.['id'])).find((id) => id !== undefined);

/** Add-ons that AMO lists are updated by AMO alone. */
const ownUpdates: PreflightRule = {
  code: 'own_updates',
  severity: 'refused',
  about: 'A listed add-on has `browser_specific_settings.gecko.update_url`.',
  source: 'https://github.com/mozilla/web-ext/issues/3472',
  confirmedBy: ['addons-linter'],
  find: ({ manifest }) =>
    SETTINGS.filter((key) => geckoOf(manifest, key)?.['update_url'] !== undefined).map((key) => ({
      what: `the manifest has ${key}.gecko.update_url, which add-ons that AMO lists may not have. Remove it`,
      path: `${key}.gecko.update_url`,
      channels: ['listed'],
    })),
};

const workerWithoutFallback: PreflightRule = {
  code: 'worker_without_fallback',
  severity: 'refused',
  about: 'The manifest has `background.service_worker` without `background.scripts` or `background.page`.',
  source: 'https://extensionworkshop.com/documentation/develop/manifest-v3-migration-guide/',
  confirmedBy: ['addons-linter'],
  find: ({ manifest }) => {
    const background = asRecord(manifest['background']);
    if (background?.['service_worker'] === undefined) return [];
    if (background['scripts'] !== undefined || background['page'] !== undefined) return [];
    return [
      {
        what: 'the manifest has background.service_worker alone, and Firefox runs background.scripts. Add these beside it',
        path: 'background.service_worker',
      },
    ];
  },
};

const repeatedKeys: PreflightRule = {
  code: 'repeated_key',
  severity: 'refused',
  about: 'An object of the manifest has a key twice.',
  source: `${LINTER}/json.js`,
  confirmedBy: ['addons-linter'],
  find: ({ repeatedKeys: paths }) =>
    paths.map((path) => ({ what: `the manifest has the key ${path} twice. Keep one`, path })),
};

const noGeckoId: PreflightRule = {
  code: 'no_gecko_id',
  severity: 'refused',
  about: 'The manifest, of Manifest V3, has no `browser_specific_settings.gecko.id`.',
  source: IDS,
  confirmedBy: ['addons-linter'],
  find: ({ manifest }) =>
    manifest['manifest_version'] === 3 && geckoIdOf(manifest) === undefined
      ? [
          {
            what: 'the manifest has no browser_specific_settings.gecko.id, which Manifest V3 needs',
            path: 'browser_specific_settings.gecko.id',
          },
        ]
      : [],
};

const otherGeckoId: PreflightRule = {
  code: 'other_gecko_id',
  severity: 'refused',
  about: 'The `browser_specific_settings.gecko.id` is not the id of the add-on to which the target publishes.',
  source: 'https://github.com/PlasmoHQ/bpp/issues/29',
  confirmedBy: [],
  refusedAs: /add-on ID .* does not match/is,
  find: ({ manifest }) => {
    const itemId = geckoIdOf(manifest);
    if (itemId === undefined) return [];
    const what = `browser_specific_settings.gecko.id is "${itemId}", and the target publishes to another add-on`;
    return [{ what, path: 'browser_specific_settings.gecko.id', itemId }];
  },
};

const noDataCollection: PreflightRule = {
  code: 'no_data_collection_permissions',
  severity: 'warning',
  about: 'The manifest has no `browser_specific_settings.gecko.data_collection_permissions`.',
  source: DATA_CONSENT,
  confirmedBy: [],
  find: ({ manifest }) => {
    const declared = asRecord(geckoOf(manifest, SETTINGS[0])?.['data_collection_permissions']);
    return asList(declared?.['required']).length > 0
      ? []
      : [
          {
            what: 'the manifest has no browser_specific_settings.gecko.data_collection_permissions, which new add-ons must have and all will need',
            path: 'browser_specific_settings.gecko.data_collection_permissions',
          },
        ];
  },
};

const MAX_NAME = 45;

/** addons-linter looks at the manifest alone, not at its translations. */
const wrongName: PreflightRule = {
  code: 'wrong_name',
  severity: 'refused',
  about: `The \`name\` has fewer than 2 or more than ${MAX_NAME} characters, or starts or ends with a space.`,
  source: 'https://github.com/mozilla/addons-linter/issues/5540',
  confirmedBy: ['addons-linter'],
  find: ({ manifest: { name } }) => {
    if (typeof name !== 'string') return [];
    const length = [...name].length;
    if (length > MAX_NAME) {
      return [{ what: `the name has ${length} characters, and at most ${MAX_NAME} are accepted`, path: 'name' }];
    }
    return name.trim() === name && length > 1
      ? []
      : [{ what: 'the name is a single character, or starts or ends with a space', path: 'name' }];
  },
};

const applicationsInV3: PreflightRule = {
  code: 'has_applications',
  severity: 'refused',
  about: 'The manifest, of Manifest V3, has the key `applications`.',
  source: `${LINTER}/manifestjson.js`,
  confirmedBy: ['addons-linter'],
  find: ({ manifest }) =>
    manifest['manifest_version'] === 3 && Object.hasOwn(manifest, 'applications')
      ? [
          {
            what: 'the manifest has the key "applications", which Manifest V3 names browser_specific_settings',
            path: 'applications',
          },
        ]
      : [],
};

/** Those of Mozilla's own add-ons. */
const PRIVILEGED: ReadonlySet<unknown> = new Set(['activityLog', 'mozillaAddons', 'networkStatus', 'telemetry']);

const wrongPermissions: PreflightRule = {
  code: 'wrong_permissions',
  severity: 'refused',
  about: "A list of permissions has one twice, or one of Mozilla's own add-ons.",
  source: `${LINTER}/manifestjson.js`,
  confirmedBy: ['addons-linter'],
  find: ({ manifest }) => [
    ...['permissions', 'optional_permissions'].flatMap((key) => {
      const list = asList(manifest[key]);
      const seen = new Set<unknown>();
      const repeated = new Set(list.filter((each) => typeof each === 'string' && seen.size === seen.add(each).size));
      return [...repeated].map((each) => ({
        what: `${key} has "${String(each)}" twice. Keep one`,
        path: key,
        thing: each,
      }));
    }),
    ...valuesAt(manifest, 'permissions[]')
      .filter(({ value }) => PRIVILEGED.has(value))
      .map(({ path, value }) => ({
        what: `${path} is "${String(value)}", which only Mozilla's own add-ons have`,
        path,
        thing: value,
      })),
  ],
};

/** Firefox could not update extensions through a proxy before. */
const PROXY_SINCE = '91.1.0';

const proxyBefore: PreflightRule = {
  code: 'proxy_before_91',
  severity: 'refused',
  about: `The manifest has the permission \`proxy\`, and no \`strict_min_version\` of ${PROXY_SINCE} or later.`,
  source: 'https://bugzilla.mozilla.org/show_bug.cgi?id=1733159',
  confirmedBy: ['addons-linter'],
  find: ({ manifest }) => {
    const least = SETTINGS.map((key) => geckoOf(manifest, key)?.['strict_min_version']).find(
      (one) => one !== undefined,
    );
    const path = `${SETTINGS[0]}.gecko.strict_min_version`;
    const isNewer = typeof least === 'string' && compareVersions(least, PROXY_SINCE) >= 0;
    return isNewer || !asList(manifest['permissions']).includes('proxy')
      ? []
      : [{ what: `the permission proxy needs ${path} to be at least ${PROXY_SINCE}`, path }];
  },
};

const RECOMMENDATION = 'mozilla-recommendation.json';
const reservedFile: PreflightRule = {
  code: 'reserved_file',
  severity: 'refused',
  about: `The package has the file \`${RECOMMENDATION}\`, which Mozilla adds itself.`,
  source: 'https://github.com/mozilla/addons-linter/blob/master/src/const.js',
  confirmedBy: ['addons-linter'],
  find: ({ contents }) =>
    [...(contents?.files.keys() ?? [])]
      .filter((file) => file.slice(file.lastIndexOf('/') + 1) === RECOMMENDATION)
      .map((file) => ({ what: `the package has ${file}, which Mozilla adds itself. Leave it out`, file })),
};

const PATTERN =
  /^(?:<all_urls>|(?:https?|wss?|file|ftp|\*|resource):\/\/(?:\*|\*\.[^*/]+|[^*/]+)\/.*|file:\/\/\/.*|about:.*)$/u;
const KEYS = 'https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/manifest.json';

/** AMO refuses an upload for which addons-linter has an error. */
export const FIREFOX_RULES: readonly PreflightRule[] = [
  noGeckoId,
  otherGeckoId,
  ownUpdates,
  workerWithoutFallback,
  repeatedKeys,
  ...locales(IDS, ['addons-linter']),
  emptyLocale(IDS, 'addons-linter'),
  absentInFirefox,
  oblongIcon,
  wrongName,
  applicationsInV3,
  wrongValues(FIREFOX_VALUES, `${LINTER}/manifestjson.js`, ['addons-linter']),
  badPatterns(
    PATTERN,
    [
      'content_scripts[].matches[]',
      'content_scripts[].exclude_matches[]',
      'optional_host_permissions[]',
      'web_accessible_resources[].matches[]',
    ],
    'https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/Match_patterns',
    ['addons-linter'],
  ),
  wrongPermissions,
  proxyBefore,
  reservedFile,
  noDataCollection,
  evalInFirefox,
  ignoredKeys(
    { 2: { action: 'browser_action', host_permissions: 'permissions' }, 3: { browser_action: 'action' } },
    KEYS,
  ),
  ignoredHosts(KEYS),
  absentPage,
  absentResource,
  iconSize('addons-linter'),
  ...unknownPermissions(FIREFOX_PERMISSIONS, CHROMIUM_PERMISSIONS),
  remoteScripts('https://extensionworkshop.com/documentation/publish/add-on-policies/'),
  leftOver,
  forDevelopment,
  sourceMaps,
  longText('description', 250, 'https://github.com/mozilla/addons-server/issues/10079', 'note'),
  ...size(FIREFOX_MAX_BYTES, 'https://extensionworkshop.com/documentation/publish/submitting-an-add-on/'),
];

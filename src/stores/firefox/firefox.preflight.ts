import { asList, asRecord, asText } from '../../common/net/pure.js';
import { absentInFirefox, locales, type PackageFacts, type PreflightRule, size } from '../preflight/pure.js';

/** Bytes of a package. */
export const FIREFOX_MAX_BYTES = 200_000_000;

const LINTER = 'https://github.com/mozilla/addons-linter/blob/master/src/messages';
const DATA_CONSENT = 'https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/';
const IDS = 'https://extensionworkshop.com/documentation/develop/extensions-and-the-add-on-id/';

type Manifest = PackageFacts['manifest'];

/** What a manifest says to Firefox; the older key counts where there is no newer one. */
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

/** AMO refuses an upload for which addons-linter has an error. */
export const FIREFOX_RULES: readonly PreflightRule[] = [
  noGeckoId,
  otherGeckoId,
  ownUpdates,
  workerWithoutFallback,
  repeatedKeys,
  ...locales(IDS, ['addons-linter']),
  absentInFirefox,
  noDataCollection,
  ...size(FIREFOX_MAX_BYTES, 'https://extensionworkshop.com/documentation/publish/submitting-an-add-on/'),
];

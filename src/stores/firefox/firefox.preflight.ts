import { asRecord } from '../../common/net/index.js';
import type { PreflightRule } from '../preflight/preflight.js';
import { absentInFirefox, locales } from '../preflight/rules.js';

/** Add-ons that AMO lists are updated by AMO alone. */
const ownUpdates: PreflightRule = ({ manifest }, { channel }) => {
  const found = ['browser_specific_settings', 'applications'].filter(
    (key) => asRecord(asRecord(manifest[key])?.['gecko'])?.['update_url'] !== undefined,
  );
  return channel === 'unlisted'
    ? []
    : found.map((key) => ({
        code: 'own_updates',
        severity: 'refused',
        what: `the manifest has ${key}.gecko.update_url, which add-ons that AMO lists may not have. Remove it`,
        path: `${key}.gecko.update_url`,
        source: 'https://github.com/mozilla/web-ext/issues/3472',
      }));
};

const workerWithoutFallback: PreflightRule = ({ manifest }) => {
  const background = asRecord(manifest['background']);
  if (background?.['service_worker'] === undefined) return [];
  if (background['scripts'] !== undefined || background['page'] !== undefined) return [];
  return [
    {
      code: 'worker_without_fallback',
      severity: 'refused',
      what: 'the manifest has background.service_worker alone, and Firefox runs background.scripts. Add these beside it',
      path: 'background.service_worker',
      source: 'https://extensionworkshop.com/documentation/develop/manifest-v3-migration-guide/',
    },
  ];
};

const repeatedKeys: PreflightRule = ({ repeatedKeys: paths }) =>
  paths.map((path) => ({
    code: 'repeated_key',
    severity: 'refused',
    what: `the manifest has the key ${path} twice. Keep one`,
    path,
    source: 'https://github.com/mozilla/addons-linter/blob/master/src/messages/json.js',
  }));

/** AMO refuses an upload for which addons-linter has an error. */
export const FIREFOX_RULES: readonly PreflightRule[] = [
  ownUpdates,
  workerWithoutFallback,
  repeatedKeys,
  locales('https://extensionworkshop.com/documentation/develop/extensions-and-the-add-on-id/'),
  absentInFirefox,
];

import {
  broadHosts,
  CHROMIUM_RULES,
  forbiddenKey,
  longText,
  manifestV2,
  noStoreIcon,
  type PreflightRule,
  size,
} from '../preflight/pure.js';

/** Bytes of a package. */
export const CHROME_MAX_BYTES = 2_147_483_648;

/** Keys that the store itself writes into each package. */
const OWN_UPDATES = 'https://clients2.google.com/service/update2/crx';
const otherUpdates = forbiddenKey('update_url', 'refused', 'https://github.com/YePpHa/YouTubeCenter/issues/2216');

/** The key is refused of new items, and reports of updates differ. */
export const CHROME_RULES: readonly PreflightRule[] = [
  manifestV2(
    {
      code: 'manifest_v2',
      severity: 'refused',
      about: 'The package is of Manifest V2.',
      source: 'https://developer.chrome.com/docs/extensions/develop/migrate/mv2-deprecation-timeline',
    },
    'and only Manifest V3 is accepted',
  ),
  {
    ...forbiddenKey('key', 'warning', 'https://github.com/clerk/javascript/issues/5532'),
    refusedAs: /key field is not allowed/i,
  },
  {
    ...otherUpdates,
    about: `${otherUpdates.about.slice(0, -1)}, with another address than the store's own.`,
    find: (facts) => (facts.manifest['update_url'] === OWN_UPDATES ? [] : otherUpdates.find(facts)),
  },
  longText('name', 75, 'https://developer.chrome.com/docs/extensions/reference/manifest/name'),
  longText('short_name', 12, 'https://developer.chrome.com/docs/extensions/reference/manifest/short-name', 'note'),
  ...CHROMIUM_RULES,
  noStoreIcon,
  broadHosts,
  ...size(CHROME_MAX_BYTES, 'https://developer.chrome.com/docs/webstore/publish'),
];

import { CHROMIUM_RULES } from '../preflight/chromium.rules.js';
import type { PreflightRule } from '../preflight/preflight.js';
import { forbiddenKey } from '../preflight/rules.js';

/** Keys that the store itself writes into each package. */
const OWN_UPDATES = 'https://clients2.google.com/service/update2/crx';
const otherUpdates = forbiddenKey('update_url', 'refused', 'https://github.com/YePpHa/YouTubeCenter/issues/2216');

/** The key is refused of new items, and reports of updates differ. */
export const CHROME_RULES: readonly PreflightRule[] = [
  forbiddenKey('key', 'warning', 'https://github.com/clerk/javascript/issues/5532'),
  (facts, target) => (facts.manifest['update_url'] === OWN_UPDATES ? [] : otherUpdates(facts, target)),
  ...CHROMIUM_RULES,
];

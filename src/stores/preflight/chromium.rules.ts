import type { PreflightRule } from './preflight.js';
import { absentInChromium, locales, longDescription, undefinedMessages } from './rules.js';

const LOCALES = 'https://developer.chrome.com/docs/extensions/reference/api/i18n';

/** What the Chrome Web Store and Edge Add-ons refuse alike. */
export const CHROMIUM_RULES: readonly PreflightRule[] = [
  longDescription(132, 'https://developer.chrome.com/docs/extensions/reference/manifest/description'),
  locales(LOCALES),
  undefinedMessages(LOCALES),
  absentInChromium,
];

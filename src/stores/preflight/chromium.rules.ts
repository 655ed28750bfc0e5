import type { PreflightRule } from './preflight.js';
import { absentInChromium, locales, longText, undefinedMessages } from './rules.js';

const LOCALES = 'https://developer.chrome.com/docs/extensions/reference/api/i18n';

/** What the Chrome Web Store and Edge Add-ons refuse alike. */
export const CHROMIUM_RULES: readonly PreflightRule[] = [
  longText('description', 132, 'https://developer.chrome.com/docs/extensions/reference/manifest/description'),
  ...locales(LOCALES, ['chromium']),
  undefinedMessages(LOCALES, ['chromium']),
  absentInChromium,
];

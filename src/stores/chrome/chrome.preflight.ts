import { CHROMIUM_RULES } from '../preflight/chromium.rules.js';
import type { PreflightRule } from '../preflight/preflight.js';
import { forbiddenKey } from '../preflight/rules.js';

/** The key is refused of new items, and reports of updates differ. */
export const CHROME_RULES: readonly PreflightRule[] = [
  forbiddenKey('key', 'warning', 'https://github.com/clerk/javascript/issues/5532'),
  ...CHROMIUM_RULES,
];

import { CHROMIUM_RULES } from '../preflight/chromium.rules.js';
import type { PreflightRule } from '../preflight/preflight.js';
import { forbiddenKey } from '../preflight/rules.js';

export const EDGE_RULES: readonly PreflightRule[] = [
  forbiddenKey('key', 'refused', 'https://github.com/iorate/ublacklist/pull/843'),
  forbiddenKey('update_url', 'refused', 'https://github.com/jonathanpeppers/inclusive-code-reviews-browser/pull/319'),
  ...CHROMIUM_RULES,
];

import { CHROMIUM_RULES, forbiddenKey, longText, manifestV2, type PreflightRule } from '../preflight/pure.js';

/** The last day on which the store takes Manifest V2 for consumers. */
const MANIFEST_V2_ENDS_ON = '2026-12-31';

export const EDGE_RULES: readonly PreflightRule[] = [
  manifestV2(
    {
      code: 'manifest_v2_ends',
      severity: 'warning',
      about: `The package is of Manifest V2, which is supported until ${MANIFEST_V2_ENDS_ON}.`,
      source: 'https://github.com/microsoft/MicrosoftEdge-Extensions/discussions/713',
    },
    `which is supported until ${MANIFEST_V2_ENDS_ON}`,
  ),
  {
    ...forbiddenKey('key', 'refused', 'https://github.com/iorate/ublacklist/pull/843'),
    refusedAs: /shouldn't contain the key field/i,
  },
  {
    ...forbiddenKey(
      'update_url',
      'refused',
      'https://github.com/jonathanpeppers/inclusive-code-reviews-browser/pull/319',
    ),
    refusedAs: /shouldn't contain (?:the )?update_url/i,
  },
  longText('name', 45, 'https://github.com/mdn/content/pull/32392', 'warning'),
  ...CHROMIUM_RULES,
];

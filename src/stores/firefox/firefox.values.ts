import {
  BUTTONS,
  COMMON_VALUES,
  iconSizes,
  flags,
  lists,
  matching,
  objects,
  oneOf,
  onlyIn,
  pictures,
  texts,
  type Expectation,
} from '../preflight/pure.js';

const GECKO = 'browser_specific_settings.gecko';
const DATA = `${GECKO}.data_collection_permissions`;
const KINDS = [
  'authenticationInfo',
  'bookmarksInfo',
  'browsingActivity',
  'financialAndPaymentInfo',
  'healthInfo',
  'locationInfo',
  'personalCommunications',
  'personallyIdentifyingInfo',
  'searchTerms',
  'websiteActivity',
  'websiteContent',
];
const ID =
  /^(?=.{1,80}$)(?:\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}|[a-z0-9-._]*@[a-z0-9-._]+)$/i;
const BUTTON_ICONS = [...BUTTONS, 'sidebar_action'].map((key) => `${key}.default_icon`);
const SIZE = /^[1-9]\d*$/;
const MIN_VERSION = /^[0-9]{1,3}(?:\.[a-z0-9]+)+$/;

/** Values that addons-linter's schema of the manifest accepts. */
export const FIREFOX_VALUES: readonly Expectation[] = [
  ...COMMON_VALUES,
  ...iconSizes(SIZE, 'icons', ...BUTTON_ICONS),
  ...pictures(...BUTTON_ICONS),
  ...texts('author', `${GECKO}.update_url`),
  ...objects('background', 'options_ui', GECKO, DATA, 'commands.*.suggested_key'),
  ...lists('background.scripts'),
  ...flags('options_ui.open_in_tab'),
  ...onlyIn(3, [
    {
      at: 'background',
      expected: 'an object with scripts or page',
      accepts: (value) =>
        typeof value !== 'object' ||
        value === null ||
        ['scripts', 'page', 'service_worker'].some((key) => key in value),
    },
  ]),
  ...matching('an e-mail-like name such as owl@example.com, or a UUID in braces', ID, `${GECKO}.id`),
  ...matching(
    'a version such as 140.0',
    MIN_VERSION,
    `${GECKO}.strict_min_version`,
    'browser_specific_settings.gecko_android.strict_min_version',
  ),
  ...matching('a version such as 140.* or 140.0', /^[0-9]{1,3}(?:\.[a-z0-9*]+)+$/, `${GECKO}.strict_max_version`),
  ...oneOf(`${DATA}.required[]`, 'none', ...KINDS),
  ...oneOf(`${DATA}.optional[]`, 'technicalAndInteraction', ...KINDS),
  {
    at: DATA,
    expected: 'an object with a list, required, that is not empty and has "none" alone or not at all',
    accepts: (value) => {
      const required = typeof value === 'object' && value !== null && 'required' in value ? value.required : undefined;
      return Array.isArray(required) && required.length > 0 && (required.length === 1 || !required.includes('none'));
    },
  },
  {
    at: `${DATA}.has_previous_consent`,
    expected: 'left out, because it is reserved',
    accepts: (value) => value === false,
  },
  {
    at: 'homepage_url',
    expected: 'an address outside of addons.mozilla.org',
    accepts: (value) => typeof value !== 'string' || !/addons\.mozilla\.org|addons-dev\.allizom\.org/.test(value),
  },
];

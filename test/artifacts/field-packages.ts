import { manifestOf, zipOf } from '../support/packages.js';
import { pngOf } from '../support/pictures.js';

/** A package as authors have pushed it. */
export interface FieldPackage {
  readonly name: string;
  /** Members of the manifest beside those of a good one. */
  readonly manifest?: object;
  /** The manifest's text, where it is no JSON that a program would write. */
  readonly manifestText?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly stores: readonly string[];
  readonly channel?: string;
  /** What the push is warned about. */
  readonly warning?: string;
}

const GECKO = {
  id: 'owl@night.example',
  data_collection_permissions: { required: ['none'] },
};
const FIREFOX = { browser_specific_settings: { gecko: GECKO } };
const ALL = ['chrome', 'firefox', 'edge'];
const CHROMIUM = ['chrome', 'edge'];
const TITLES = 'Chrome Web Store and Microsoft Edge Add-ons';
const EVERYWHERE = 'Chrome Web Store, Firefox Add-ons and Microsoft Edge Add-ons';
const messages = (texts: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, message]) => [key, { message }])));

const script = (changes: object) => ({ content_scripts: [{ matches: ['https://example.com/*'], ...changes }] });
const gecko = (changes: object) => ({ browser_specific_settings: { gecko: { ...GECKO, ...changes } } });
const V2 = { manifest_version: 2, background: { scripts: ['background.js'] } };

/** Packages that browser programs refuse: name, manifest, what Chromium's stores and what Firefox Add-ons say, other files. */
type Row = readonly [
  string,
  object,
  chromium: string | null,
  firefox: string | null,
  files?: Record<string, string | Buffer>,
];
const ROWS: readonly Row[] = [
  [
    'with a content script in Latin-1',
    script({ js: ['owl.js'] }),
    'owl.js is not UTF-8, or has noncharacters such as U+FFFF. Save it as UTF-8, with such characters escaped',
    null,
    { 'owl.js': Buffer.from('"h\xe4"', 'latin1') },
  ],
  [
    'with a noncharacter in a content script',
    script({ js: ['owl.js'] }),
    'owl.js is not UTF-8, or has noncharacters such as U+FFFF. Save it as UTF-8, with such characters escaped',
    null,
    { 'owl.js': 'const last = "\uffff";' },
  ],
  ['with a number as short name', { short_name: 3 }, 'short_name must be a string', 'short_name must be a string'],
  [
    'with a worker in a list',
    { background: { service_worker: ['background.js'], scripts: ['background.js'] } },
    'background.service_worker must be a string',
    'background.service_worker must be a string',
  ],
  [
    'with an unknown time to run at',
    script({ js: ['background.js'], run_at: 'document-end' }),
    'content_scripts[0].run_at must be one of document_start, document_end, document_idle',
    'content_scripts[0].run_at must be one of document_start, document_end, document_idle',
  ],
  [
    'with icons by names',
    { icons: { big: 'background.js' } },
    'icons must be an object whose keys are sizes in pixels',
    'icons must be an object whose keys are sizes in pixels',
  ],
  [
    'with a policy of Manifest V2',
    { content_security_policy: "script-src 'self'" },
    'content_security_policy must be an object',
    'content_security_policy must be an object',
  ],
  [
    'with resources of Manifest V2',
    { web_accessible_resources: ['background.js'] },
    'web_accessible_resources[0] must be an object',
    'web_accessible_resources[0] must be an object',
  ],
  ['with an author who is a number', { author: 3 }, null, 'author must be a string'],
  [
    'with an odd version of Chrome',
    { minimum_chrome_version: '88.*' },
    'minimum_chrome_version must be a version such as 120 or 120.0',
    null,
  ],
  [
    'with a locale with a dash',
    { default_locale: 'en-US' },
    'default_locale must be a locale such as en or pt_BR',
    null,
    { '_locales/en-US/messages.json': '{}' },
  ],
  [
    'with an id without @',
    gecko({ id: 'owl' }),
    null,
    'browser_specific_settings.gecko.id must be an e-mail-like name such as owl@example.com, or a UUID in braces',
  ],
  [
    'with any version of Firefox 140',
    gecko({ strict_min_version: '140.*' }),
    null,
    'browser_specific_settings.gecko.strict_min_version must be a version such as 140.0',
  ],
  [
    'that collects nothing and something',
    gecko({ data_collection_permissions: { required: ['none', 'locationInfo'] } }),
    null,
    'browser_specific_settings.gecko.data_collection_permissions must be an object with a list, required, that is not empty and has "none" alone or not at all',
  ],
  [
    'that collects something unknown',
    gecko({ data_collection_permissions: { required: ['mood'] } }),
    null,
    'browser_specific_settings.gecko.data_collection_permissions.required[0] must be one of none, authenticationInfo, bookmarksInfo, browsingActivity, financialAndPaymentInfo, healthInfo, locationInfo, personalCommunications, personallyIdentifyingInfo, searchTerms, websiteActivity, websiteContent',
  ],
  [
    'with a home page at AMO',
    { homepage_url: 'https://addons.mozilla.org/owl' },
    null,
    'homepage_url must be an address outside of addons.mozilla.org',
  ],
  [
    'with a pattern without a path',
    script({ matches: ['https://example.com'], js: ['background.js'] }),
    'content_scripts[0].matches[0] is "https://example.com", which is no match pattern such as https://example.com/*',
    'content_scripts[0].matches[0] is "https://example.com", which is no match pattern such as https://example.com/*',
  ],
  [
    'with a pattern of all ports',
    script({ matches: ['http://localhost:*/*'], js: ['background.js'] }),
    null,
    'content_scripts[0].matches[0] is "http://localhost:*/*", which is no match pattern such as https://example.com/*',
  ],
  [
    'with a policy that allows eval',
    { content_security_policy: { extension_pages: "script-src 'self' 'unsafe-eval'" } },
    "content_security_policy.extension_pages allows 'unsafe-eval' in script-src, and Manifest V3 does not",
    null,
  ],
  [
    'with a policy for WebAssembly',
    { content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" } },
    null,
    null,
  ],
  [
    'of Manifest V2 with scripts and a page',
    { ...V2, background: { scripts: ['background.js'], page: 'page.html' } },
    'background.scripts excludes background.page. Keep one',
    null,
    { 'page.html': '' },
  ],
  ['with a content script of nothing', script({}), 'content_scripts[0] has neither js nor css', null],
  [
    'that replaces two pages',
    { chrome_url_overrides: { newtab: 'page.html', history: 'page.html' } },
    'chrome_url_overrides replaces newtab and history, and may replace one page',
    null,
    { 'page.html': '' },
  ],
  [
    'with resources open to nobody',
    { web_accessible_resources: [{ resources: ['background.js'] }] },
    'web_accessible_resources[0] has neither matches nor extension_ids',
    null,
  ],
  [
    'with rules and without the permission',
    { declarative_net_request: { rule_resources: [{ id: 'ads', enabled: true, path: 'rules.json' }] } },
    'declarative_net_request needs the permission declarativeNetRequest',
    null,
    { 'rules.json': '[]' },
  ],
  [
    'with a command without a description',
    { commands: { hoot: { suggested_key: { default: 'Ctrl+Shift+Y' } } } },
    'commands.hoot has no description',
    null,
  ],
  [
    'with an empty folder of a locale',
    { default_locale: 'en' },
    '_locales/de has no messages.json',
    '_locales/de has no messages.json',
    { '_locales/en/messages.json': '{}', '_locales/de/other.json': '{}' },
  ],
  [
    'with an empty icon',
    { icons: { 128: 'icon.png' } },
    'icons.128 names "icon.png", which is empty',
    null,
    { 'icon.png': '' },
  ],
  [
    'with an icon that is not square',
    { icons: { 128: 'icon.png' } },
    null,
    'icons.128 names "icon.png", which has 128 x 64 pixels, and must be square',
    { 'icon.png': pngOf(128, 64) },
  ],
  [
    'with icons of a button by names',
    { action: { default_icon: { big: 'icon.png' } } },
    'action.default_icon must be an object whose keys are sizes in pixels',
    'action.default_icon must be an object whose keys are sizes in pixels',
    { 'icon.png': pngOf(32) },
  ],
  [
    'with a size of an icon as Chromium reads it too',
    { action: { default_icon: { '+32': 'icon.png' } } },
    null,
    'action.default_icon must be an object whose keys are sizes in pixels',
    { 'icon.png': pngOf(32) },
  ],
  [
    'with a permission that old versions of Firefox may not have',
    { permissions: ['proxy'] },
    null,
    'the permission proxy needs browser_specific_settings.gecko.strict_min_version to be at least 91.1.0',
  ],
  [
    'with a name of 46 characters',
    { name: 'n'.repeat(46) },
    null,
    'the name has 46 characters, and at most 45 are accepted',
  ],
  [
    'with the key applications',
    { applications: { gecko: GECKO } },
    null,
    'the manifest has the key "applications", which Manifest V3 names browser_specific_settings',
  ],
  [
    'with a permission twice',
    { permissions: ['storage', 'storage'] },
    null,
    'permissions has "storage" twice. Keep one',
  ],
  [
    "with a permission of Mozilla's",
    { permissions: ['telemetry'] },
    null,
    'permissions[0] is "telemetry", which only Mozilla\'s own add-ons have',
  ],
  [
    "with Mozilla's recommendation",
    {},
    null,
    'the package has mozilla-recommendation.json, which Mozilla adds itself. Leave it out',
    { 'mozilla-recommendation.json': '{}' },
  ],
];

/** What is said besides, which no browser program refuses. */
const BESIDES: Readonly<Record<string, string>> = {
  'with a policy that allows eval':
    " Firefox Add-ons: content_security_policy allows scripts from 'unsafe-eval', for which reviewers reject versions.",
  'of Manifest V2 with scripts and a page':
    ' Microsoft Edge Add-ons: this is a Manifest V2 package, which is supported until 2026-12-31.',
  'with icons by names':
    ' Chrome Web Store and Microsoft Edge Add-ons: icons.big names "background.js", which is no image: Chromium then installs no such package. Use a PNG. Chrome Web Store: icons has none of 128 pixels, which the store shows.',
  'with an icon that is not square':
    ' Chrome Web Store, Firefox Add-ons and Microsoft Edge Add-ons: icons.128 names "icon.png", which has 128 x 64 pixels.',
  "with a permission of Mozilla's":
    ' Chrome Web Store and Microsoft Edge Add-ons: permissions[0] is "telemetry", which is another browser\'s permission, and is ignored.',
  'with a name of 46 characters': ' Microsoft Edge Add-ons: the name has 46 characters, and at most 45 are accepted.',
};

const rowCase = ([name, manifest, chromium, firefox, files = {}]: Row): FieldPackage => {
  const refusals =
    chromium === firefox
      ? [[EVERYWHERE, 'refuse', chromium]]
      : [
          [TITLES, 'refuse', chromium],
          ['Firefox Add-ons', 'refuses', firefox],
        ];
  const sentences = [
    ...('manifest_version' in manifest
      ? ['Chrome Web Store refuses this package: this is a Manifest V2 package, and only Manifest V3 is accepted.']
      : []),
    ...refusals.flatMap(([titles, verb, what]) => (what === null ? [] : [`${titles} ${verb} this package: ${what}.`])),
  ];
  return {
    name,
    manifest: { ...FIREFOX, ...manifest },
    files,
    stores: ALL,
    ...(sentences.length > 0 ? { warning: `${sentences.join(' ')}${BESIDES[name] ?? ''}` } : {}),
  };
};

/** Each is named by what is wrong with it. */
export const CASES: readonly FieldPackage[] = [
  {
    name: 'with a key',
    manifest: { key: 'MIIBIjANBgkq' },
    stores: CHROMIUM,
    warning:
      'Microsoft Edge Add-ons refuses this package: the manifest has the key "key". Remove it. Chrome Web Store: the manifest has the key "key", which may be refused. Remove it.',
  },
  {
    name: 'with an update_url',
    manifest: { ...FIREFOX, update_url: 'https://example.com/updates.xml' },
    stores: ALL,
    warning: `${TITLES} refuse this package: the manifest has the key "update_url". Remove it.`,
  },
  {
    name: 'with the update_url that Chrome writes itself',
    manifest: { update_url: 'https://clients2.google.com/service/update2/crx' },
    stores: CHROMIUM,
    warning: 'Microsoft Edge Add-ons refuses this package: the manifest has the key "update_url". Remove it.',
  },
  {
    name: "with Firefox's update_url in a listed add-on",
    manifest: { browser_specific_settings: { gecko: { ...GECKO, update_url: 'https://example.com/updates.json' } } },
    stores: ALL,
    warning:
      'Firefox Add-ons refuses this package: the manifest has browser_specific_settings.gecko.update_url, which add-ons that AMO lists may not have. Remove it.',
  },
  {
    name: "with Firefox's update_url in an unlisted add-on",
    manifest: { browser_specific_settings: { gecko: { ...GECKO, update_url: 'https://example.com/updates.json' } } },
    stores: ['firefox'],
    channel: 'unlisted',
  },
  {
    name: 'with a long description',
    manifest: { ...FIREFOX, description: 'd'.repeat(137) },
    stores: ALL,
    warning: `${TITLES} refuse this package: the description has 137 characters, and at most 132 are accepted.`,
  },
  {
    name: 'with a long description in one language',
    manifest: { ...FIREFOX, default_locale: 'en', description: '__MSG_description__' },
    files: {
      '_locales/en/messages.json': messages({ description: 'Counts.' }),
      '_locales/de/messages.json': messages({ Description: 'd'.repeat(133) }),
    },
    stores: ALL,
    warning: `${TITLES} refuse this package: the description in _locales/de/messages.json has 133 characters, and at most 132 are accepted.`,
  },
  { name: 'with a description of 132 characters', manifest: { description: 'd'.repeat(132) }, stores: CHROMIUM },
  {
    name: 'with a default locale and no folder of it',
    manifest: { ...FIREFOX, default_locale: 'en' },
    stores: ALL,
    warning: `${EVERYWHERE} refuse this package: default_locale is "en", and the package has no _locales/en/messages.json.`,
  },
  {
    name: 'with a folder of locales and no default',
    manifest: FIREFOX,
    files: { '_locales/en/messages.json': '{}' },
    stores: ALL,
    warning: `${EVERYWHERE} refuse this package: the package has _locales, and the manifest no default_locale.`,
  },
  {
    name: 'with a folder of locales that has no messages, for Firefox',
    manifest: FIREFOX,
    files: { '_locales/README.txt': 'Translate here.' },
    stores: ['firefox'],
  },
  {
    name: 'with a message that is nowhere',
    manifest: { ...FIREFOX, default_locale: 'en', action: { default_title: '__MSG_title__' } },
    files: { '_locales/en/messages.json': '{}' },
    stores: ALL,
    warning: `${TITLES} refuse this package: action.default_title is __MSG_title__, which _locales/en/messages.json does not have.`,
  },
  {
    name: 'with broken messages in another language',
    manifest: { ...FIREFOX, default_locale: 'en' },
    files: { '_locales/en/messages.json': '{}', '_locales/de/messages.json': '{' },
    stores: ALL,
    warning: `${EVERYWHERE} refuse this package: _locales/de/messages.json is not valid JSON.`,
  },
  {
    name: 'with a message without text',
    manifest: { ...FIREFOX, default_locale: 'en' },
    files: { '_locales/en/messages.json': '{"title":{}}' },
    stores: ALL,
    warning: `${EVERYWHERE} refuse this package: _locales/en/messages.json has no message for "title".`,
  },
  {
    name: 'without the icon that it names',
    manifest: { ...FIREFOX, icons: { 16: 'icon.png' } },
    stores: ALL,
    warning: `${EVERYWHERE} refuse this package: icons.16 names "icon.png", which the package does not have. Chrome Web Store: icons has none of 128 pixels, which the store shows.`,
  },
  {
    name: 'without its service worker',
    manifest: { ...FIREFOX, background: { service_worker: 'worker.js', scripts: ['background.js'] } },
    stores: ALL,
    warning: `${TITLES} refuse this package: background.service_worker names "worker.js", which the package does not have.`,
  },
  {
    name: 'without its content script',
    manifest: { ...FIREFOX, content_scripts: [{ matches: ['https://example.com/*'], js: ['a.js'] }] },
    stores: ALL,
    warning: `${EVERYWHERE} refuse this package: content_scripts[0].js[0] names "a.js", which the package does not have.`,
  },
  {
    name: 'without its rules',
    manifest: {
      ...FIREFOX,
      permissions: ['declarativeNetRequest'],
      declarative_net_request: { rule_resources: [{ id: 'ads', enabled: true, path: 'rules.json' }] },
    },
    stores: ALL,
    warning: `${TITLES} refuse this package: declarative_net_request.rule_resources[0].path names "rules.json", which the package does not have.`,
  },
  {
    name: 'without its page of options',
    manifest: { options_ui: { page: 'options.html' } },
    stores: CHROMIUM,
    warning: `${TITLES} refuse this package: options_ui.page names "options.html", which the package does not have.`,
  },
  {
    name: 'that names its files from the root',
    manifest: { ...FIREFOX, content_scripts: [{ matches: ['https://example.com/*'], js: ['/background.js'] }] },
    stores: ALL,
  },
  {
    name: 'with a service worker alone, for Firefox',
    manifest: { ...FIREFOX, background: { service_worker: 'background.js' } },
    stores: ALL,
    warning:
      'Firefox Add-ons refuses this package: the manifest has background.service_worker alone, and Firefox runs background.scripts. Add these beside it.',
  },
  {
    name: 'with a service worker alone',
    manifest: { background: { service_worker: 'background.js' } },
    stores: CHROMIUM,
  },
  {
    name: 'with a key twice, for Firefox',
    manifestText: `{"manifest_version":3,"name":"Night Owl","version":"1.0.0","version":"1.0.0","browser_specific_settings":{"gecko":${JSON.stringify(GECKO)}}}`,
    stores: ALL,
    warning: 'Firefox Add-ons refuses this package: the manifest has the key version twice. Keep one.',
  },
  {
    name: 'without an id, for Firefox',
    stores: ['firefox'],
    warning:
      'Firefox Add-ons refuses this package: the manifest has no browser_specific_settings.gecko.id, which Manifest V3 needs. Firefox Add-ons: the manifest has no browser_specific_settings.gecko.data_collection_permissions, which new add-ons must have and all will need.',
  },
  { name: 'for all stores', manifest: FIREFOX, stores: ALL },
  ...ROWS.map(rowCase),
];

/** The files of a package. */
export const filesOf = ({
  manifest = {},
  manifestText,
  files = {},
}: FieldPackage): Readonly<Record<string, string | Buffer>> => ({
  'manifest.json': manifestText ?? JSON.stringify(manifestOf('1.0.0', manifest)),
  'background.js': 'void 0;',
  ...files,
});

export const packed = (field: FieldPackage): Promise<Buffer> => zipOf(filesOf(field));

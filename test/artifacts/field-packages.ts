import { manifestOf, zipOf } from '../support/packages.js';

/** A package as authors have pushed it. */
export interface FieldPackage {
  readonly name: string;
  /** Members of the manifest beside those of a good one. */
  readonly manifest?: object;
  /** The manifest's text, where it is no JSON that a program would write. */
  readonly manifestText?: string;
  readonly files?: Readonly<Record<string, string>>;
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
    warning: `${EVERYWHERE} refuse this package: icons.16 names "icon.png", which the package does not have.`,
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
  { name: 'for all stores', manifest: FIREFOX, stores: ALL },
];

/** The files of a package. */
export const filesOf = ({
  manifest = {},
  manifestText,
  files = {},
}: FieldPackage): Readonly<Record<string, string>> => ({
  'manifest.json': manifestText ?? JSON.stringify(manifestOf('1.0.0', manifest)),
  'background.js': 'void 0;',
  ...files,
});

export const packed = (field: FieldPackage): Promise<Buffer> => zipOf(filesOf(field));

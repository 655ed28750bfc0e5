import fc from 'fast-check';
import { pngOf } from '../support/pictures.js';

/** An extension in a folder: its files by name. */
export type Extension = Readonly<Record<string, string | Buffer>>;

type Choices = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const FILES: Extension = {
  'a.js': 'void 0;',
  'a.css': 'a {}',
  'a.html': '<!doctype html><title>a</title>',
  'a.png': pngOf(16),
  'b.png': pngOf(32, 16),
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>',
  'no.png': 'no picture',
  'empty.png': '',
  'rules.json': '[]',
  '_locales/en/messages.json': '{"owl":{"message":"Owl"}}',
  '_locales/de/messages.json': '{"owl":{"message":"Eule"}}',
};

const odd = fc.constantFrom<unknown>(3, true, null, '', [], {}, ['a'], 'a');
/** Mostly a good value, sometimes another. */
const some = (...values: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd });
const record = (choices: Choices): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: fc.record(choices, { requiredKeys: [] }) }, { weight: 1, arbitrary: odd });
const list = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: fc.array(item, { maxLength: 3 }) }, { weight: 1, arbitrary: odd });

const name = some('a.js', '/a.js', './a.js', 'b/../a.js', 'none.js', 'a.js?b', 'A.js', 'a%2Ejs');
const page = some('a.html', '/a.html', 'a.html#b', 'none.html');
const image = some('a.png', 'a.png', '/a.png', 'b.png', 'a.svg', 'no.png', 'empty.png', 'none.png', 'a//./a.png');
const sizes = fc
  .array(fc.tuple(fc.constantFrom('16', '16', '48', '128', '+16', '016', '2048', '2049', '0', 'x', ' 16'), image), {
    maxLength: 3,
  })
  .map((entries) => Object.fromEntries(entries));
const images = fc.oneof(image, sizes);
const pattern = some(
  'https://a.example/*',
  '*://*/*',
  '<all_urls>',
  'https://*.a.example/b*',
  'file:///*',
  'http://localhost:8080/*',
  'http://localhost:*/*',
  'https://a.example',
  'https://*',
  'ftp://a.example/*',
  'wss://a.example/*',
  'https://a.*/*',
  'about:blank',
  'a.example/*',
);
const text = some('Owl', '__MSG_owl__', '__MSG_none__', 'o', ' Owl ', 'o'.repeat(46), 'o'.repeat(140));
const button = record({ default_icon: images, default_title: text, default_popup: page });
const version = some('100', '100.0', '091.1', '120.*', '99.0a1', '140.0');
const gecko = record({
  id: some('owl@night.example', '{0f8a2c5b-0000-4000-8000-0123456789ab}', 'owl'),
  strict_min_version: version,
  strict_max_version: version,
  data_collection_permissions: record({
    required: list(some('none', 'locationInfo', 'technicalAndInteraction')),
    optional: list(some('locationInfo', 'technicalAndInteraction', 'none')),
  }),
});

const MEMBERS: Choices = {
  name: text,
  short_name: text,
  description: text,
  author: some('Ann', { email: 'ann@author.example' }),
  default_locale: some('en', 'de', 'fr', 'en-US'),
  icons: fc.oneof(images, sizes),
  action: button,
  browser_action: button,
  page_action: button,
  sidebar_action: record({ default_icon: images, default_panel: page }),
  background: record({
    service_worker: name,
    scripts: list(name),
    page,
    type: some('module', 'classic'),
    persistent: some(true, false),
  }),
  content_scripts: list(
    record({
      matches: list(pattern),
      exclude_matches: list(pattern),
      js: list(name),
      css: list(some('a.css', 'none.css')),
      run_at: some('document_start', 'document_idle', 'document-idle'),
      all_frames: some(true, false),
      world: some('MAIN', 'ISOLATED', 'main'),
    }),
  ),
  web_accessible_resources: list(
    fc.oneof(
      some('a.png', '*.js'),
      record({ resources: list(some('a.png', '*')), matches: list(pattern), use_dynamic_url: some(true) }),
    ),
  ),
  content_security_policy: fc.oneof(
    some("script-src 'self'", "script-src 'self' 'unsafe-eval'; object-src 'self'"),
    record({
      extension_pages: some(
        "script-src 'self'",
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'",
        "script-src 'self' https://a.example",
        "object-src 'self'",
        "script-src 'self' http://localhost:3000",
        "SCRIPT-SRC 'SELF'; script-src *",
      ),
      sandbox: some('sandbox allow-scripts', 'sandbox allow-same-origin', "script-src 'self'"),
    }),
  ),
  permissions: list(
    some(
      'storage',
      'storage',
      'tabs',
      'proxy',
      'declarativeNetRequest',
      'telemetry',
      'nonsense',
      'https://a.example/*',
    ),
  ),
  optional_permissions: list(some('tabs', 'tabs', 'history', 'https://a.example/*')),
  host_permissions: list(pattern),
  optional_host_permissions: list(pattern),
  options_page: page,
  options_ui: record({ page, open_in_tab: some(true, false) }),
  devtools_page: page,
  chrome_url_overrides: record({ newtab: page, history: page, bookmarks: page, homepage: page }),
  side_panel: record({ default_path: page }),
  sandbox: record({ pages: list(page) }),
  commands: record({
    hoot: record({
      description: text,
      suggested_key: fc.oneof(
        some('Ctrl+Shift+Y'),
        record({ default: some('Ctrl+Shift+Y', 'Alt+1', 'Ctrl', 'MediaStop', 'Y', 'Ctrl+Shift+Alt+Y', 'ctrl+y') }),
      ),
    }),
    _execute_action: record({ suggested_key: record({ default: some('Ctrl+Shift+U', 'F5') }) }),
  }),
  declarative_net_request: record({
    rule_resources: list(
      record({ id: some('a', 'b'), enabled: some(true, false), path: some('rules.json', 'none.json') }),
    ),
  }),
  incognito: some('spanning', 'split', 'not_allowed', 'no'),
  homepage_url: some('https://a.example', 'ftp://a.example', 'a', '__MSG_owl__'),
  minimum_chrome_version: some('100', '100.0', '0100', '100.*'),
  offline_enabled: some(true),
  omnibox: record({ keyword: text }),
  storage: record({ managed_schema: some('none.json') }),
  update_url: some('https://a.example/updates.xml'),
  key: some('no key'),
  applications: record({ gecko }),
};

/** The members that each extension has, and which addons-linter takes. */
const GECKO = { id: 'owl@night.example', data_collection_permissions: { required: ['none'] } };
const BASE: Choices = {
  manifest_version: fc.constantFrom(3, 3, 2),
  name: fc.constant('Night Owl'),
  version: fc.constant('1.0.0'),
  browser_specific_settings: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ gecko: GECKO }) },
    { weight: 1, arbitrary: record({ gecko }) },
  ),
};

/** Extensions with a handful of odd members, and all files but some. */
export const extensions: fc.Arbitrary<Extension> = fc
  .tuple(
    fc.record(BASE),
    fc.uniqueArray(fc.constantFrom(...Object.keys(MEMBERS)), { minLength: 1, maxLength: 5 }),
    fc.subarray(['_locales/en/messages.json', '_locales/de/messages.json', 'a.js', 'a.html']),
  )
  .chain(([base, keys, absent]) =>
    fc.record(Object.fromEntries(keys.map((key) => [key, MEMBERS[key] ?? odd]))).map((members) => ({
      ...Object.fromEntries(Object.entries(FILES).filter(([file]) => !absent.includes(file))),
      'manifest.json': JSON.stringify({ ...base, ...members }),
    })),
  );

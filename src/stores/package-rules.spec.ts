import { describe, expect, it } from 'vitest';
import { leastTimeOf } from '../../test/support/processor-time.js';
import { preflight, resized, ruleForeseeing } from './package-rules.js';
import { STORE_IDS } from './store.js';
import type { Messages, PackageFacts, Picture } from './preflight/pure.js';

const GECKO = { id: 'owl@night.example', data_collection_permissions: { required: ['none'] } };
const V3 = {
  manifest_version: 3,
  name: 'Night Owl',
  version: '1.0.0',
  browser_specific_settings: { gecko: GECKO },
};

interface Given {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly files?: readonly string[];
  readonly locales?: Readonly<Record<string, Messages>>;
  readonly pictures?: Readonly<Record<string, Picture>>;
  readonly remoteScripts?: Readonly<Record<string, readonly string[]>>;
}

const factsOf = ({ manifest, files = [], locales = {}, pictures = {}, remoteScripts = {} }: Given): PackageFacts => ({
  manifest,
  repeatedKeys: [],
  size: 1000,
  contents: {
    files: new Map(
      [...files, ...Object.keys(pictures), ...Object.keys(locales).map((one) => `_locales/${one}/messages.json`)].map(
        (one) => [one, 1],
      ),
    ),
    locales: new Map(Object.entries(locales)),
    pictures: new Map(Object.entries(pictures)),
    remoteScripts: new Map(Object.entries(remoteScripts)),
    undecodable: new Set(),
  },
});

const refused = (given: Given, store: string): readonly string[] =>
  preflight(factsOf(given))
    .filter((one) => one.store === store && one.severity === 'refused' && one.itemId === undefined)
    .map(({ code, what }) => `${code}: ${what}`);

const png = (width: number, height = width): Picture => ({ kind: 'png', size: { width, height } });
const picture = (kind: Picture['kind']): Picture => ({ kind, size: null });

it.each(['add-on ID ', 'name ', 'manifest', '  '])('a refusal that repeats %j is read at once', async (word) => {
  const words = word.repeat(20_000);
  expect(await leastTimeOf(() => STORE_IDS.map((store) => ruleForeseeing(store, words)))).toBeLessThan(20);
});

describe('a package is refused for nothing that its store takes', () => {
  it.each<[string, Given, readonly string[]]>([
    [
      'doubled slashes',
      { manifest: { ...V3, icons: { 16: 'a//./b.png' } }, files: ['a/b.png'] },
      ['chrome', 'firefox', 'edge'],
    ],
    ['a way up', { manifest: { ...V3, icons: { 16: 'src/../b.png' } }, files: ['b.png'] }, ['firefox']],
    [
      'locales that Chromium does not read',
      {
        manifest: { ...V3, default_locale: 'en', description: '__MSG_about__' },
        locales: {
          en: new Map([['about', 'Counts.']]),
          qqq: { fault: 'has no message for "@metadata"' },
          qqx: new Map([['about', 'd'.repeat(200)]]),
        },
      },
      ['chrome', 'edge'],
    ],
    [
      'buttons of the other Manifest Version',
      { manifest: { ...V3, page_action: { default_icon: 'a.png' } } },
      ['chrome'],
    ],
    [
      'pages that no browser replaces',
      { manifest: { ...V3, chrome_url_overrides: { newtab: 'a.html', homepage: 'b.html' } }, files: ['a.html'] },
      ['chrome'],
    ],
    [
      'media keys beside four shortcuts',
      {
        manifest: {
          ...V3,
          commands: Object.fromEntries(
            ['MediaStop', 'MediaPlayPause', 'MediaNextTrack', 'MediaPrevTrack', ' Ctrl  +  Shift\t+ Y '].map(
              (key, at) => [`c${at}`, { description: 'Does it', suggested_key: { default: key } }],
            ),
          ),
        },
      },
      ['chrome'],
    ],
    [
      'a list without scripts beside a page',
      { manifest: { ...V3, manifest_version: 2, background: { scripts: [], page: 'b.html' } }, files: ['b.html'] },
      ['edge'],
    ],
    [
      'a message that only another language has',
      {
        manifest: { ...V3, default_locale: 'de', action: { default_title: '__MSG_title__' } },
        locales: { de: new Map(), en: new Map([['title', 'Owl']]) },
      },
      ['chrome'],
    ],
    [
      'sizes of icons with a plus and zeros',
      { manifest: { ...V3, icons: { '+16': 'a.png', '0048': 'a.png', 2048: 'a.png' } }, files: ['a.png'] },
      ['chrome', 'edge'],
    ],
    [
      'an oblong icon of the button, at which addons-linter does not look',
      { manifest: { ...V3, action: { default_icon: 'a.png' } }, pictures: { 'a.png': png(32, 16) } },
      ['chrome', 'firefox', 'edge'],
    ],
    [
      'a size in two forms, of which the last counts',
      { manifest: { ...V3, icons: { '+16': 'none.png', '016': 'a.png' } }, files: ['a.png'] },
      ['chrome'],
    ],
    [
      'a panel that Manifest V2 does not know',
      { manifest: { ...V3, manifest_version: 2, side_panel: { default_path: 'none.html' } } },
      ['edge'],
    ],
    ['a minimum version with a zero', { manifest: { ...V3, minimum_chrome_version: '100.01' } }, ['chrome']],
    ['a home page by FTP', { manifest: { ...V3, homepage_url: 'ftp://example.com/' } }, ['firefox']],
    [
      'connectable extensions',
      {
        manifest: {
          ...V3,
          externally_connectable: { matches: ['chrome-extension://abcdefghijklmnopabcdefghijklmnop/*'] },
        },
      },
      ['chrome'],
    ],
  ])('%s', (_case, given, stores) => {
    for (const store of stores) expect([store, refused(given, store)]).toEqual([store, []]);
  });
});

const ALL = ['chrome', 'firefox', 'edge'];
const CHROMIUM = ['chrome', 'edge'];
const OPEN = {
  ...V3,
  web_accessible_resources: [{ resources: ['a/*.png', 'b.js'], matches: ['https://a.example/*'] }],
};
const REMOTE = { remoteScripts: { 'a.html': ['https://cdn.example/a.js'] } };

describe('what may hurt is said', () => {
  const said = (given: Given, code: string): readonly string[] =>
    preflight(factsOf(given))
      .filter((one) => one.code === code && one.severity !== 'refused')
      .map(({ store }) => store);

  it.each<[string, string, Given, readonly string[]]>([
    [
      'an icon that is an SVG',
      'unreadable_icon',
      { manifest: { ...V3, icons: { 16: '/a.svg' } }, pictures: { 'a.svg': picture('svg') } },
      CHROMIUM,
    ],
    [
      'an icon that is text',
      'unreadable_icon',
      { manifest: { ...V3, action: { default_icon: 'a.png' } }, pictures: { 'a.png': picture('other') } },
      CHROMIUM,
    ],
    [
      'an icon of a button that the Manifest Version lacks',
      'unreadable_icon',
      { manifest: { ...V3, page_action: { default_icon: 'a.svg' } }, pictures: { 'a.svg': picture('svg') } },
      [],
    ],
    [
      'an icon that is a PNG',
      'unreadable_icon',
      { manifest: { ...V3, icons: { 16: 'a.png' } }, pictures: { 'a.png': png(16) } },
      [],
    ],
    [
      'icons without one for the store',
      'no_store_icon',
      { manifest: { ...V3, icons: { 16: 'a.png' } }, pictures: { 'a.png': png(16) } },
      ['chrome'],
    ],
    [
      'an icon for the store that is a JPEG',
      'no_store_icon',
      { manifest: { ...V3, icons: { 128: 'a.jpg' } }, pictures: { 'a.jpg': picture('jpeg') } },
      ['chrome'],
    ],
    [
      'an icon for the store',
      'no_store_icon',
      { manifest: { ...V3, icons: { 128: 'a.png' } }, pictures: { 'a.png': png(128) } },
      [],
    ],
    ['no icons', 'no_store_icon', { manifest: V3 }, []],
    [
      'an icon of another size',
      'icon_size',
      { manifest: { ...V3, icons: { 16: 'a.png' } }, pictures: { 'a.png': png(128) } },
      ALL,
    ],
    [
      'an icon of its size',
      'icon_size',
      { manifest: { ...V3, icons: { 16: 'a.png' } }, pictures: { 'a.png': png(16) } },
      [],
    ],
    ['a permission that nobody knows', 'unknown_permission', { manifest: { ...V3, permissions: ['storrage'] } }, ALL],
    ["Firefox's permissions", 'foreign_permission', { manifest: { ...V3, permissions: ['menus'] } }, CHROMIUM],
    [
      "Chrome's permissions",
      'foreign_permission',
      { manifest: { ...V3, optional_permissions: ['offscreen'] } },
      ['firefox'],
    ],
    [
      'hosts and settings among permissions',
      'unknown_permission',
      {
        manifest: {
          ...V3,
          permissions: ['https://a.example/*', '<all_urls>', { usbDevices: [] }, 'inputMethodPrivate', 3],
        },
      },
      [],
    ],
    [
      'all sites',
      'broad_hosts',
      { manifest: { ...V3, host_permissions: ['https://a.example/*', '*://*/*'] } },
      ['chrome'],
    ],
    [
      'all sites for a script',
      'broad_hosts',
      { manifest: { ...V3, content_scripts: [{ matches: ['<all_urls>'], js: ['a.js'] }] } },
      ['chrome'],
    ],
    ['some sites', 'broad_hosts', { manifest: { ...V3, host_permissions: ['https://*.example.com/*'] } }, []],
    ['resources that are nowhere', 'absent_resource', { manifest: OPEN, files: ['a/b.txt', 'b.js'] }, ALL],
    ['resources', 'absent_resource', { manifest: OPEN, files: ['a/c/d.png', 'b.js'] }, []],
    ['an absent page of a sandbox', 'absent_page', { manifest: { ...V3, sandbox: { pages: ['a.html'] } } }, ALL],
    ['scripts from elsewhere', 'remote_script', { manifest: V3, ...REMOTE }, ALL],
    [
      'scripts from elsewhere in a sandbox',
      'remote_script',
      { manifest: { ...V3, sandbox: { pages: ['./a.html?embedded'] } }, ...REMOTE },
      [],
    ],
    [
      'scripts from elsewhere under Manifest V2',
      'remote_script',
      { manifest: { ...V3, manifest_version: 2 }, ...REMOTE },
      [],
    ],
    ...[
      '.env',
      'a/.env.local',
      'prod.env',
      'a/b.pem',
      'c.p12',
      '.npmrc',
      '.ssh/id_ed25519',
      '.git/HEAD',
      'a/Thumbs.db',
    ].map((file): [string, string, Given, readonly string[]] => [
      file,
      'left_over',
      { manifest: V3, files: [file] },
      ALL,
    ]),
    ...['environment.js', 'a/b.key.js', 'gitlog.txt'].map((file): [string, string, Given, readonly string[]] => [
      file,
      'left_over',
      { manifest: V3, files: [file] },
      [],
    ]),
    ...[
      'node_modules/a/b.js',
      'package-lock.json',
      'test/a.js',
      'src/__tests__/a.js',
      'a.spec.ts',
      '.vscode/settings.json',
    ].map((file): [string, string, Given, readonly string[]] => [
      file,
      'for_development',
      { manifest: V3, files: [file] },
      ALL,
    ]),
    [
      'what the manifest names',
      'for_development',
      {
        manifest: { ...V3, background: { scripts: ['node_modules/a.js'], service_worker: 'node_modules/a.js' } },
        files: ['node_modules/a.js'],
      },
      [],
    ],
    [
      'names that only look alike',
      'for_development',
      { manifest: V3, files: ['testing/a.js', 'latest/b.js', 'specs.js'] },
      [],
    ],
    ['source maps', 'source_maps', { manifest: V3, files: ['a.js.map', 'b.css.map'] }, ALL],
    ['maps', 'source_maps', { manifest: V3, files: ['world.map'] }, []],
  ])('%s: %s', (_case, code, given, stores) => {
    expect(said(given, code)).toEqual(stores);
  });
});

it('keeps the id of a finding when a list is reordered, and tells apart what stands in it', () => {
  const [one, other] = [
    { matches: ['https://a.example/*'], js: ['a.js'] },
    { matches: ['b'], js: ['b.js'] },
  ];
  const ids = (scripts: readonly object[]): readonly string[] =>
    preflight(factsOf({ manifest: { ...V3, content_scripts: scripts } })).map(({ id }) => id);
  const [both, reordered] = [ids([one, other]), ids([other, one])];
  expect(new Set(both).size).toBe(both.length);
  expect(both.filter((id) => /^edge-(?:absent_file|bad_pattern)-/.test(id))).toHaveLength(3);
  expect(new Set(reordered)).toEqual(new Set(both));
  expect(ids([other]).every((id) => both.includes(id))).toBe(true);
});

it('gives each place one id, and names all that is wrong there', () => {
  const policy = "script-src 'self' https://a.example https://b.example";
  const findings = preflight(factsOf({ manifest: { ...V3, content_security_policy: { extension_pages: policy } } }));
  expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
  expect(findings.find(({ code }) => code === 'insecure_csp')?.what).toMatch(/a\.example.*; .*b\.example/);
});

/** As much as a manifest may be. */
const MEBIBYTE = 1024 * 1024;
const many = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

/** As deep as a manifest may be, by its first character. */
const DEPTH = 200;
const nested = (opening: '{' | '['): unknown =>
  Array.from({ length: DEPTH }).reduce<unknown>((inner) => (opening === '[' ? [inner] : { a: inner }), 'a');

const files = (name: string): readonly string[] => many(19_000, 0).map((_, at) => `${at}/${name}`);

describe('a hostile manifest holds up nobody', () => {
  it.each<[string, object, (readonly string[])?]>([
    ['entries without end', { web_accessible_resources: many(35_000, { resources: [], matches: [] }) }],
    ['patterns of schemes', { web_accessible_resources: [{ resources: [], matches: ['://'.repeat(MEBIBYTE / 3)] }] }],
    ['patterns without end', { content_scripts: [{ matches: many(50_000, 'https://*'), js: [] }] }],
    ['one pattern', { content_scripts: [{ matches: [`*://*.${'a.'.repeat(MEBIBYTE / 2)}`], js: [] }] }],
    ['permissions without end', { permissions: Array.from({ length: 80_000 }, (_, at) => `p${at}`) }],
    ['slashes', { icons: { 16: '/./'.repeat(MEBIBYTE / 3) } }],
    [
      'ways up',
      { options_page: '../'.repeat(MEBIBYTE / 3), background: { scripts: ['a/'.repeat(2e5) + 'b/../'.repeat(1e5)] } },
    ],
    ['names of files', { icons: Object.fromEntries(many(50_000, 0).map((_, at) => [at, `${at}.png`])) }],
    ['a shortcut', { commands: { a: { suggested_key: { default: 'Ctrl+'.repeat(MEBIBYTE / 5) } } } }],
    ['commands without end', { commands: Object.fromEntries(many(40_000, 0).map((_, at) => [`c${at}`, {}])) }],
    ['a policy', { content_security_policy: { extension_pages: `script-src ${"'self' x ".repeat(MEBIBYTE / 9)}` } }],
    [
      'spaces',
      { content_security_policy: { extension_pages: ' '.repeat(MEBIBYTE), sandbox: 'sandbox '.repeat(100_000) } },
    ],
    ['values in each other', { icons: nested('{'), permissions: many(800, nested('[')), commands: { a: nested('{') } }],
    [
      'entries in each other',
      { content_scripts: many(800, nested('{')), web_accessible_resources: many(800, nested('[')) },
    ],
    ['a name', { name: ' '.repeat(MEBIBYTE), homepage_url: ' '.repeat(1000) }],
    ['a version', { minimum_chrome_version: '1.'.repeat(MEBIBYTE / 2) }],
    ['an id', { browser_specific_settings: { gecko: { id: `${'a'.repeat(MEBIBYTE / 2)}@` } } }],
    [
      'patterns of stars, in many files',
      { web_accessible_resources: many(20, { resources: [`${'*'.repeat(40_000)}Q*`], matches: [] }) },
      files('data.bin'),
    ],
    [
      'patterns of many parts, in many files',
      { web_accessible_resources: many(20, { resources: ['a*'.repeat(25_000)], matches: [] }) },
      files('a'.repeat(100)),
    ],
    [
      'names of files, of which none is one of the many tests',
      { content_scripts: many(10, { matches: ['https://a.example/*'], js: many(4500, 'a/b.js') }) },
      files('tests'),
    ],
  ])('%s', async (_case, members, names = []) => {
    // A manifest of its own each time, as of another package.
    const judge = () => preflight(factsOf({ manifest: { ...V3, ...members }, files: names }));
    expect(await leastTimeOf(judge)).toBeLessThan(1000);
  });
});

it('a package of another size is judged by its size alone once more', () => {
  const sizes = [1000, 185_000_000, 199_000_000, 205_000_000, 1_999_000_000, 2_100_000_000];
  const faulty = {
    manifest: { ...V3, permissions: ['x', 'y'], icons: { 16: 'a.png' }, background: {} },
    files: ['.git/a'],
  };
  const judged = sizes.map((size) => preflight({ ...factsOf(faulty), size }));
  expect(new Set(judged.flat().map(({ code }) => code))).toContain('nearly_too_large');
  for (const before of judged) expect(sizes.map((size) => resized(before, size))).toEqual(judged);
});

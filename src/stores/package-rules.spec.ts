import { describe, expect, it } from '@jest/globals';
import { preflight } from './package-rules.js';
import type { Messages, PackageFacts } from './preflight/pure.js';

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
}

const factsOf = ({ manifest, files = [], locales = {} }: Given): PackageFacts => ({
  manifest,
  repeatedKeys: [],
  size: 1000,
  contents: {
    files: new Map(
      [...files, ...Object.keys(locales).map((one) => `_locales/${one}/messages.json`)].map((one) => [one, 1]),
    ),
    locales: new Map(Object.entries(locales)),
  },
});

const refused = (given: Given, store: string): readonly string[] =>
  preflight(factsOf(given))
    .filter((one) => one.store === store && one.severity === 'refused' && one.itemId === undefined)
    .map(({ code, what }) => `${code}: ${what}`);

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

it('gives each place one id, and names all that is wrong there', () => {
  const policy = "script-src 'self' https://a.example https://b.example";
  const findings = preflight(factsOf({ manifest: { ...V3, content_security_policy: { extension_pages: policy } } }));
  expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
  expect(findings.find(({ code }) => code === 'insecure_csp')?.what).toMatch(/a\.example.*; .*b\.example/);
});

/** As much as a manifest may be. */
const MEBIBYTE = 1024 * 1024;
const many = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

describe('a hostile manifest holds up nobody', () => {
  it.each<[string, object]>([
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
    ['a name', { name: ' '.repeat(MEBIBYTE), homepage_url: ' '.repeat(1000) }],
    ['a version', { minimum_chrome_version: '1.'.repeat(MEBIBYTE / 2) }],
    ['an id', { browser_specific_settings: { gecko: { id: `${'a'.repeat(MEBIBYTE / 2)}@` } } }],
  ])('%s', (_case, members) => {
    const facts = factsOf({ manifest: { ...V3, ...members } });
    const begun = process.cpuUsage();
    preflight(facts);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(2500);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { preflight } from './package-rules.js';
import type { Messages, PackageFacts, Picture } from './preflight/pure.js';

/**
 * What is known of an extension that a store has published, as Debian or npm distribute it: its manifest, the names of its files by folder, and
 * how long its messages are; none of its code or texts. Files and keys that the stores themselves add are left out.
 */
interface LiveExtension {
  readonly from: string;
  /** Of the extension, for its manifest. */
  readonly licence: string;
  readonly store: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly pictures: Readonly<Record<string, Picture>>;
  readonly remoteScripts: Readonly<Record<string, readonly string[]>>;
}

const FIXTURE = new URL('../../test/artifacts/live-extensions.json', import.meta.url);
const LIVE = JSON.parse(readFileSync(FIXTURE, 'utf8')) as readonly LiveExtension[];

/** Rules that stores made after these versions were published: addons-linter refuses these packages today, and Chrome all of Manifest V2. */
const NEWER_RULES: Readonly<Record<string, readonly string[]>> = {
  'Debian webext-foxyproxy': ['proxy_before_91'],
  'Debian webext-proxy-switcher': ['proxy_before_91'],
  'Debian webext-privacy-badger': ['wrong_value'],
};

const textOf = (length: number): string => 'm'.repeat(length);

function factsOf({ manifest, files, messages, pictures, remoteScripts }: LiveExtension): PackageFacts {
  const names = Object.entries(files).flatMap(([folder, own]) => own.map((name) => `${folder}${name}`));
  const locales = Object.entries(messages).map(([locale, own]): [string, Messages] => [
    locale,
    new Map(Object.entries(own).map(([key, length]) => [key, textOf(length)])),
  ]);
  const contents = {
    files: new Map(names.map((name) => [name, 1])),
    locales: new Map(locales),
    pictures: new Map(Object.entries(pictures)),
    remoteScripts: new Map(Object.entries(remoteScripts)),
    undecodable: new Set<string>(),
  };
  return { manifest, repeatedKeys: [], size: 1_000_000, contents };
}

describe('an extension that its store has published', () => {
  it.each(LIVE)('is refused for nothing: $from', (live) => {
    const newer = Object.entries(NEWER_RULES).find(([from]) => live.from.startsWith(`${from} `))?.[1] ?? [];
    const isOld = live.store === 'chrome' && live.manifest['manifest_version'] === 2;
    const refused = preflight(factsOf(live)).filter(
      ({ store, severity, itemId }) => store === live.store && severity === 'refused' && itemId === undefined,
    );
    expect(refused.map(({ code }) => code)).toEqual([...newer, ...(isOld ? ['manifest_v2'] : [])]);
  });

  it('is one of at least sixteen, for both browsers', () => {
    expect(LIVE.length).toBeGreaterThan(15);
    expect(new Set(LIVE.map(({ store }) => store))).toEqual(new Set(['firefox', 'chrome']));
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zipOf } from '../../../test/support/packages.js';
import { inspectArchive } from './inspect-archive.js';
import { repeatedIn } from './package-facts.js';

describe('keys that stand twice', () => {
  it.each<[string, readonly string[]]>([
    ['{"a":1,"b":{"a":1}}', []],
    ['{"a":1,"a":2,"a":3}', ['a']],
    ['{"a":[{"b":1},{"b":1}]}', []],
    ['{"a":{"b":1,"b":1},"a.b":1}', ['a.b']],
    ['{"a":[0,{"b":1,"b":1}]}', ['a.1.b']],
  ])('%s', (text, repeated) => expect(repeatedIn(text)).toEqual(repeated));

  it('are found in time that grows with the text alone, however long the names around them are', () => {
    const inner = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 0]));
    const text = JSON.stringify({ ['x'.repeat(500_000)]: inner });
    const before = performance.now();
    expect(repeatedIn(text)).toEqual([]);
    // Making each path takes minutes.
    expect(performance.now() - before).toBeLessThan(2000);
  });
});

describe('messages', () => {
  const localesOf = async (files: Readonly<Record<string, string>>, description = '__MSG_text__') => {
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-facts-'));
    const manifest = { manifest_version: 3, name: 'Owl', version: '1.0', default_locale: 'en', description };
    await writeFile(join(folder, 'package.zip'), await zipOf({ 'manifest.json': JSON.stringify(manifest), ...files }));
    const { facts } = await inspectArchive(join(folder, 'package.zip'));
    await rm(folder, { recursive: true });
    return facts.contents?.locales;
  };
  const messages = (extra: object) => JSON.stringify({ Text: { message: 'Counts.' }, ...extra });
  const large = (bytes: number) => messages({ filler: { message: 'ab1'.repeat(bytes / 3) } });

  it('are kept where the manifest names them', async () => {
    const locales = await localesOf({ '_locales/en/messages.json': messages({ other: { message: 'More.' } }) });
    expect(locales).toEqual(new Map([['en', new Map([['text', 'Counts.']])]]));
  });

  it('that are too many are not read, and those of the default locale are the last to be left out', async () => {
    const names = ['ar', 'bg', 'de', 'fr', 'it', 'en'];
    const files = Object.fromEntries(names.map((name) => [`_locales/${name}/messages.json`, large(900_000)]));
    const locales = await localesOf(files);
    expect(locales?.get('en')).toEqual(new Map([['text', 'Counts.']]));
    expect([...(locales?.values() ?? [])].filter((each) => each === 'not read')).toHaveLength(2);
    expect((await localesOf({ '_locales/en/messages.json': large(1_200_000) }))?.get('en')).toBe('not read');
  });
});

import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { readManifest } from './manifest.js';

describe.each(['folder', 'zip'])('the manifest of a %s', (kind) => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const packageOf = async (files: Readonly<Record<string, string | Buffer>>): Promise<string> => {
    if (kind === 'zip') {
      const zip = new yazl.ZipFile();
      for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
      zip.end();
      await pipeline(zip.outputStream, createWriteStream(join(root, 'package.zip')));
      return join(root, 'package.zip');
    }
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    }
    return root;
  };
  const MANIFEST = { manifest_version: 3, name: 'Tab Counter', version: '1.4.0' };

  it('tells name and version', async () => {
    const path = await packageOf({ 'manifest.json': JSON.stringify(MANIFEST) });
    expect(await readManifest(path)).toEqual({
      name: 'Tab Counter',
      version: '1.4.0',
      manifestVersion: 3,
      geckoId: null,
      json: MANIFEST,
    });
  });

  it.each([
    ['a byte order mark', `\uFEFF${JSON.stringify(MANIFEST)}`],
    ['comments', `// first\n{ /* all */ ${JSON.stringify(MANIFEST).slice(1)} // last`],
  ])('is read with %s', async (_, text) => {
    expect(await readManifest(await packageOf({ 'manifest.json': text }))).toMatchObject({ version: '1.4.0' });
  });

  it.each(['browser_specific_settings', 'applications'])('tells the id in %s', async (key) => {
    const json = JSON.stringify({ ...MANIFEST, [key]: { gecko: { id: 'a@b.example' } } });
    expect(await readManifest(await packageOf({ 'manifest.json': json }))).toMatchObject({ geckoId: 'a@b.example' });
  });

  const LOCALIZED = JSON.stringify({ ...MANIFEST, name: '__MSG_extName__', default_locale: 'en' });
  it.each<[string, string, object, string]>([
    ['of its language', 'en', { EXTNAME: { message: 'Counter' } }, 'Counter'],
    ['where there is none of its language', 'de', { extName: { message: 'Zähler' } }, '__MSG_extName__'],
    ['where the language has none', 'en', { other: { message: 'x' } }, '__MSG_extName__'],
  ])('looks its name up in the messages: %s', async (_case, locale, messages, name) => {
    const files = { 'manifest.json': LOCALIZED, [`_locales/${locale}/messages.json`]: JSON.stringify(messages) };
    expect(await readManifest(await packageOf(files))).toMatchObject({ name });
  });

  it.each<[string, Readonly<Record<string, string | Buffer>>, RegExp]>([
    ['is not there', { 'a.js': '' }, /has no manifest\.json at its root\.$/],
    ['is in a folder', { 'dist/manifest.json': '{}' }, /has no manifest\.json at its root\.$/],
    ['is huge', { 'manifest.json': Buffer.alloc(1024 ** 2 + 1, ' ') }, /cannot be read: it is larger than 1 MiB\.$/],
    ['is UTF-16', { 'manifest.json': Buffer.from([0xff, 0xfe]) }, / is in UTF-16: save it as UTF-8\.$/],
    [
      'is no JSON',
      { 'manifest.json': '{\n"a": 1,\n}' },
      /is not valid JSON: a quoted name is missing \(no comma may follow the last member\) at line 3, column 1\.$/,
    ],
    ['is a list', { 'manifest.json': '[]' }, /must be a JSON object\.$/],
    ['has no version', { 'manifest.json': '{"name":"a","manifest_version":3}' }, /has no version\.$/],
    ['has no name', { 'manifest.json': '{"version":"1","manifest_version":3}' }, /has no name\.$/],
    [
      'has no manifest version',
      { 'manifest.json': '{"version":"1","name":"a"}' },
      /manifest_version must be the number 2 or 3\.$/,
    ],
    [
      'has the manifest version as text',
      { 'manifest.json': '{"version":"1","name":"a","manifest_version":"3"}' },
      /^manifest\.json in .+: manifest_version must be the number 2 or 3\.$/,
    ],
    [
      'has a number for its version',
      { 'manifest.json': '{"version":1,"name":"a","manifest_version":3}' },
      /: version must be a string\.$/,
    ],
    [
      'has a number for its name',
      { 'manifest.json': '{"version":"1","name":5,"manifest_version":3}' },
      /: name must be a string\.$/,
    ],
    [
      'nests deep',
      { 'manifest.json': `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}` },
      /^manifest\.json in .+ nests deeper than 200 levels\.$/,
    ],
  ])('is refused when it %s', async (_case, files, message) => {
    await expect(readManifest(await packageOf(files))).rejects.toThrow(message);
  });
});

it.each(['', 'no zip', 'PK\u0003\u0004 and nothing more'])(
  'a file that holds %j is named as no zip',
  async (content) => {
    const root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
    const path = join(root, 'broken.zip');
    await writeFile(path, content);
    await expect(readManifest(path)).rejects.toThrow(`${path} is not a readable zip: `);
    await rm(root, { recursive: true });
  },
);

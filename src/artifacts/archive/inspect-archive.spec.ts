import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Options, ZipFile } from 'yazl';
import { InvalidArchive, InvalidManifest } from './archive-errors.js';
import { inspectArchive } from './inspect-archive.js';

const MANIFEST = { manifest_version: 3, name: 'Tab Harbour', version: '1.2.3' };
const TOO_LARGE = Array.from({ length: 200_000 }, (_, i) => i * 7919).join(',');
type Files = Record<string, string | Buffer>;

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pierhead-archive-'));
  path = join(folder, 'package.zip');
});

afterAll(() => rm(folder, { recursive: true }));

async function zip(files: Files, options: Partial<Options> = {}, endZip64 = false): Promise<string> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files))
    // To set up a compressor for each of thousands of tiny files takes seconds.
    archive.addBuffer(Buffer.from(content), name, { compress: content.length > 8, ...options });
  archive.end({ forceZip64Format: endZip64, comment: 'made by a test' });
  await pipeline(archive.outputStream, createWriteStream(path));
  return path;
}

function withManifest(manifest: object | string | Buffer, others: Files = {}): Promise<string> {
  const isText = typeof manifest === 'string' || Buffer.isBuffer(manifest);
  return zip({ 'background.js': '//', 'manifest.json': isText ? manifest : JSON.stringify(manifest), ...others });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a package', () => {
  it.each([
    ['deflated', {}, false],
    ['stored', { compress: false }, false],
    ['zip64', { forceZip64Format: true }, true],
    ['with a zip64 end alone', {}, true],
  ])('is read when %s', async (_kind, options, endZip64) => {
    const files = { 'a/b.js': 'x'.repeat(5000), 'manifest.json': JSON.stringify(MANIFEST), 'ü.txt': '' };
    const { manifest, contentSha256 } = await inspectArchive(await zip(files, options, endZip64));
    // However it is packed.
    const lines = Object.entries(files).map(([name, content]) => `${name}\0${sha256(content)}\n`);
    expect(contentSha256).toBe(sha256(lines.join('')));
    expect(manifest).toEqual({
      name: 'Tab Harbour',
      version: '1.2.3',
      versionName: null,
      manifestVersion: 3,
      permissions: [],
      hostPermissions: [],
      grantingKeys: [],
      optionalPermissions: [],
      geckoId: null,
    });
  });

  it('may hold thousands of files, generated JSON and silence, which pack well', async () => {
    const rules = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      priority: 1,
      action: { type: 'block' },
      condition: { urlFilter: `||ads-${id * 7919}.example^`, resourceTypes: ['script', 'image', 'xmlhttprequest'] },
    }));
    const files: Files = { 'manifest.json': JSON.stringify(MANIFEST) };
    files['rules.json'] = JSON.stringify(rules, null, 4);
    files['silence.wav'] = Buffer.alloc(3_000_000);
    for (let i = 0; i < 5000; i++) files[`icons/${i}.svg`] = '<svg/>';
    expect(await inspectArchive(await zip(files))).toMatchObject({ manifest: { name: 'Tab Harbour' } });
  });

  it('may start its manifest with a byte order mark and explain it in comments', async () => {
    const text = `\uFEFF// ours\n{ "name": "A // b", /* two\nlines */ "version": "1", "manifest_version": 3 } // end`;
    expect(await inspectArchive(await withManifest(text))).toMatchObject({
      manifest: { name: 'A // b', version: '1' },
    });
  });

  it('is named by the messages of its default language, whatever the case of the key', async () => {
    const manifest = { ...MANIFEST, name: '__MSG_appName__', default_locale: 'en' };
    const messages = '{ "APPNAME": { "message": "Harbour" } }';
    const { manifest: opened } = await inspectArchive(
      await withManifest(manifest, { '_locales/en/messages.json': messages }),
    );
    expect(opened.name).toBe('Harbour');
  });

  it.each([
    ['no messages file', { '_locales/de/messages.json': '{ "appName": { "message": "Hafen" } }' }],
    ['no such message', { '_locales/en/messages.json': '{ "__proto__": { "message": "x" }, "appName": 1 }' }],
    ['a broken messages file', { '_locales/en/messages.json': '{' }],
    ['a messages file beyond 1 MiB', { '_locales/en/messages.json': TOO_LARGE }],
  ])('keeps the placeholder as its name when there is %s', async (_case, files) => {
    const manifest = { ...MANIFEST, name: '__MSG_appName__', default_locale: 'en' };
    const { manifest: opened } = await inspectArchive(await withManifest(manifest, files));
    expect(opened.name).toBe('__MSG_appName__');
  });
});

describe('a package without a usable manifest is refused with', () => {
  it.each([
    ['that there is none', { 'a.js': '' }, 'The package has no manifest.json at its root.'],
    [
      'where it was found',
      { '__MACOSX/manifest.json': '', 'my-ext/manifest.json': '{}', 'my-ext/lib/manifest.json': '{}' },
      "The package has no manifest.json at its root; found at my-ext/manifest.json: zip the folder's contents, not the folder.",
    ],
    ['nothing of one deeper down', { 'a/b/manifest.json': '{}' }, 'The package has no manifest.json at its root.'],
    [
      'of a leading dot',
      { './manifest.json': '{}' },
      'The package has no manifest.json at its root; found at ./manifest.json: zip it without the leading "./".',
    ],
    [
      'of the wrong case',
      { 'Manifest.json': '{}' },
      'The package has no manifest.json at its root; rename Manifest.json.',
    ],
    ['that it is too large', { 'manifest.json': TOO_LARGE }, 'manifest.json is larger than 1 MiB.'],
    ['that it is in UTF-16', { 'manifest.json': Buffer.from('\uFEFF{}', 'utf16le') }, /is in UTF-16: save it as UTF-8/],
    ['that it is in UTF-16 without a mark', { 'manifest.json': Buffer.from('{}', 'utf16le') }, /is in UTF-16/],
    ['that it is not UTF-8', { 'manifest.json': Buffer.from([0x7b, 0xff, 0x7d]) }, 'manifest.json is not valid UTF-8.'],
    ['that it is empty', { 'manifest.json': '' }, /is not valid JSON: a value is missing/],
  ])('%s', async (_case, files: Files, sentence) => {
    const refusal = inspectArchive(await zip(files));
    await expect(refusal).rejects.toThrow(InvalidManifest);
    await expect(refusal).rejects.toThrow(sentence);
  });
});

describe('a file that is no zip is refused with', () => {
  it.each([
    ['that it is empty', Buffer.alloc(0), 'The file is empty.'],
    ['that it is no zip', Buffer.from('<html>404</html>'), 'The file is not a zip.'],
    ['that one byte is no zip', Buffer.from('P'), 'The file is not a zip.'],
    ['that a CRX is cut off', Buffer.from('Cr24\u0003\0\0\0'), 'The file is not a CRX.'],
    ['that it holds nothing', Buffer.from('504b0506'.padEnd(44, '0'), 'hex'), 'The zip is empty.'],
    ['that its end is missing', Buffer.from('PK\u0003\u0004 and no more'), /^The zip is truncated/],
  ])('%s', async (_case, bytes, sentence) => {
    await writeFile(path, bytes);
    await expect(inspectArchive(path)).rejects.toThrow(InvalidArchive);
    await expect(inspectArchive(path)).rejects.toThrow(sentence);
  });

  it('but a missing file and a failing disk keep their own errors', async () => {
    await expect(inspectArchive(join(folder, 'absent.zip'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(inspectArchive(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

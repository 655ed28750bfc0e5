import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidArchive } from '../archive-errors.js';
import { readApp } from './app-bundle.js';
import { inspectApp } from './inspect-app.js';

/** Made by the tools of others, as make.sh beside them says. */
const made = (name: string): string => join(import.meta.dirname, '../../../../test/support/apple', name);

const APP = { bundleId: 'com.example.tabcounter', version: '1.4.0', buildNumber: '27' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signed-'));
});
afterAll(() => rm(folder, { recursive: true }));

const refusalOf = async (path: string): Promise<string> => {
  const error = await inspectApp(path).then(
    (answer) => new Error(`It answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InvalidArchive)) throw error;
  return error.message;
};

/** What is read of an app with a build number. */
const buildNumberOf = (number: string): string => {
  const plist = (keys: string): Buffer =>
    Buffer.from(`<?xml version="1.0"?><plist version="1.0"><dict>${keys}</dict></plist>`);
  const names =
    '<key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleShortVersionString</key><string>1.0.0</string>';
  const point = '<key>NSExtensionPointIdentifier</key><string>com.apple.Safari.web-extension</string>';
  const files = new Map([
    ['Payload/A.app/Info.plist', plist(`${names}<key>CFBundleVersion</key><string>${number}</string>`)],
    ['Payload/A.app/PlugIns/B.appex/Info.plist', plist(`<key>NSExtension</key><dict>${point}</dict>`)],
  ]);
  return readApp(files, 'ios').buildNumber;
};

describe('a build number', () => {
  it.each([
    '7',
    '0',
    '007',
    '1.2.3',
    '1784330980',
    '202611291230',
    '20260630.0520',
    '2026.11.29',
    '999999999999999999',
  ])('is taken as Apple takes it: %s', (number) => {
    expect(buildNumberOf(number)).toBe(number);
  });

  it.each(['', '1.', '.1', '1.2.3.4', '1a', '-1', '1 2', '١', '1234567890123456789', '1234567.1234567.1234'])(
    'is refused with what it may be: %j',
    (number) => {
      expect(() => buildNumberOf(number)).toThrow('not one to three integers joined by dots, in at most 18 characters');
    },
  );
});

describe('a signed package', () => {
  it.each([
    ['binary-newc.pkg', 'macos'],
    ['xml-odc.pkg', 'macos'],
    ['pbzx.pkg', 'macos'],
    ['app.ipa', 'ios'],
  ])('says what it is: %s', async (name, platform) => {
    expect(await inspectApp(made(name))).toEqual({ ...APP, platform, format: name.slice(-3) });
  });

  it.each([
    ['unsigned.pkg', /^The package is not signed\. Export it/],
    ['unsigned.ipa', /^The package is not signed: it has no _CodeSignature\/CodeResources\./],
    ['widget.pkg', /^The app contains no extension of Safari/],
    ['blocker.ipa', /^The app contains no extension of Safari/],
  ])('is refused for what it lacks: %s', async (name, words) => {
    expect(await refusalOf(made(name))).toMatch(words);
  });

  it.each(['xml-odc.pkg', 'pbzx.pkg', 'app.ipa'])('is refused when it is cut off anywhere: %s', async (name) => {
    const whole = await readFile(made(name));
    const path = join(folder, 'cut');
    // libarchive leaves some bytes after the last file.
    for (let length = 0; length < whole.length - 32; length += 97) {
      await writeFile(path, whole.subarray(0, length));
      expect(await refusalOf(path)).not.toBe('');
    }
  });

  it.each(['xml-odc.pkg', 'binary-newc.pkg', 'pbzx.pkg', 'app.ipa'])(
    'is refused or read, and nothing worse, with any byte changed: %s',
    async (name) => {
      const whole = await readFile(made(name));
      const path = join(folder, 'changed');
      for (let at = 0; at < whole.length; at += 47) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ 0x55;
        await writeFile(path, changed);
        const answer = await inspectApp(path).catch((error: unknown) => error);
        if (answer instanceof Error) expect(answer).toBeInstanceOf(InvalidArchive);
      }
    },
  );
});

import { describe, expect, it } from 'vitest';
import { strToU8, zipSync } from 'fflate';
import { NoPackage, readPackage } from './package-file';

const zip = (files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

describe('a package', () => {
  it('says what it is before it is sent', async () => {
    const bytes = zip({ 'manifest.json': '{"name":"Owl","version":"1.4.0"}', 'background.js': 'hoot();' });
    const { sha256, ...facts } = await readPackage(new Blob([bytes]));
    expect(facts).toEqual({ manifest: { name: 'Owl', version: '1.4.0' }, size: bytes.length });
    const digest = sha256?.match(/../g)?.map((hex) => parseInt(hex, 16)) ?? [];
    expect(digest).toEqual([...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]);
  });

  it.each([
    ['no zip', new TextEncoder().encode('no zip'), 'This file is not a zip.'],
    ['a zip of the folder', zip({ 'owl/manifest.json': '{}' }), /has no manifest\.json at its root/],
    ['one without JSON', zip({ 'manifest.json': '{' }), 'The manifest.json in the zip is not JSON.'],
    ['one with a number', zip({ 'manifest.json': '1' }), 'The manifest.json in the zip is not JSON.'],
    ['one with null', zip({ 'manifest.json': 'null' }), 'The manifest.json in the zip is not JSON.'],
    ['a manifest of megabytes', zip({ 'manifest.json': ' '.repeat(1_048_577) }), 'The zip is damaged.'],
  ])('is refused where it is %s', async (_, bytes, why) => {
    const refused = readPackage(new Blob([bytes]));
    await expect(refused).rejects.toThrow(NoPackage);
    await expect(refused).rejects.toThrow(why);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectArchive } from '../../src/artifacts/archive/inspect-archive.js';
import { crxStartOf, newSigningKey, privatePemOf, zipStartOf, type SigningKey } from '../../src/stores/index.js';
import { packs } from '../support/oracles.js';
import { manifestOf } from '../support/packages.js';

/** Chromium makes and signs the packages; nothing here wrote it. */
describe('a package that Chromium has signed', () => {
  let folder: string;
  let key: SigningKey;
  let crx: Buffer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-crx-'));
    key = await newSigningKey();
    const extension = join(folder, 'extension');
    await mkdir(extension);
    await writeFile(join(extension, 'manifest.json'), JSON.stringify(manifestOf('1.4.0')));
    await writeFile(join(extension, 'background.js'), 'console.log(1);');
    await writeFile(join(folder, 'key.pem'), privatePemOf(key));
    expect(await packs(extension, folder, join(folder, 'key.pem'))).toBe(true);
    crx = await readFile(`${extension}.crx`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is taken', async () => {
    const { format, manifest } = await inspectArchive(join(folder, 'extension.crx'));
    expect({ format, version: manifest.version }).toEqual({ format: 'crx', version: '1.4.0' });
  });

  it('begins, byte for byte, as Pierhead would begin it', async () => {
    const start = zipStartOf(crx);
    const zip = (async function* () {
      yield crx.subarray(start);
    })();
    expect(await crxStartOf(zip, key)).toEqual(crx.subarray(0, start));
  });
});

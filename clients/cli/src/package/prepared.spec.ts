import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ZipReader } from './zip-reader.js';
import { preparePackage, prepareSources } from './prepared.js';
import { holdsNpmToken } from './secrets.js';

describe('a package', () => {
  it('is sent the same as a folder and as the zip of it, and a zip stays where it is', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
    await writeFile(join(root, 'manifest.json'), '{"manifest_version":3,"name":"Counter","version":"1.4.0"}');
    const zipped = await preparePackage(root);
    const kept = join(root, 'kept.zip');
    await writeFile(kept, await readFile(zipped.path));
    await zipped.discard();
    await expect(readFile(zipped.path)).rejects.toThrow('ENOENT');
    const taken = await preparePackage(kept);
    expect(taken).toMatchObject({ path: kept, sha256: zipped.sha256, size: zipped.size, manifest: zipped.manifest });
    await taken.discard();
    expect((await readFile(kept)).length).toBe(zipped.size);
    await rm(root, { recursive: true });
  });
});

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----\n';

describe('secrets in a folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
    await writeFile(join(root, 'manifest.json'), '{"manifest_version":3,"name":"Counter","version":"1.4.0"}');
  });
  afterEach(() => rm(root, { recursive: true }));

  it.each([
    ['service-account.json', JSON.stringify({ type: 'service_account', private_key: PEM })],
    ['fastlane.json', JSON.stringify({ key_id: 'ABC', key: PEM })],
    ['id_rsa', PEM.replaceAll('PRIVATE', 'OPENSSH PRIVATE')],
    ['server.key', `\n${PEM}`],
  ])('keep it from being packed: %s', async (name, text) => {
    await writeFile(join(root, name), text);
    const refusal = { exitCode: 2, message: `${join(root, name)} holds a private key. Nothing was packed.` };
    await expect(preparePackage(root)).rejects.toMatchObject({
      ...refusal,
      hint: expect.stringContaining('ignoreFiles'),
    });
    await expect(prepareSources(root)).rejects.toMatchObject({
      ...refusal,
      hint: expect.stringContaining('.gitignore'),
    });
    await (await preparePackage(root, [name])).discard();
    await writeFile(join(root, '.gitignore'), name);
    await (await prepareSources(root)).discard();
  });

  it.each([
    ['code about keys', 'pem.js', `const begin = '-----BEGIN PRIVATE KEY-----';`],
    ['a caption', 'messages.json', '{"private_key":{"message":"Begins with -----BEGIN PRIVATE KEY-----"}}'],
    ['a certificate', 'ca.txt', PEM.replaceAll('PRIVATE KEY', 'CERTIFICATE')],
  ])('are not seen in %s', async (_case, name, text) => {
    await writeFile(join(root, name), text);
    await (await prepareSources(root)).discard();
  });

  it('stay out of the sources, with what git ignores', async () => {
    for (const folder of ['.aws', 'coverage']) await mkdir(join(root, folder));
    for (const [name, text] of Object.entries({
      '.aws/credentials': 'secret',
      '.netrc': 'secret',
      '.npmrc': '//registry.npmjs.org/:_authToken=npm_secret\n',
      '.gitignore': 'coverage/\n',
      'coverage/index.html': '',
    }))
      await writeFile(join(root, name), text);
    const zip = await prepareSources(root);
    const reader = await ZipReader.open(zip.path);
    expect(reader.names).toEqual(['.gitignore', 'manifest.json']);
    reader.close();
    await zip.discard();
  });

  it.each([
    ['//registry.npmjs.org/:_authToken=npm_secret', true],
    ['_password = c2VjcmV0', true],
    ['//registry.npmjs.org/:_authToken=${NPM_TOKEN}', false],
    ['engine-strict=true', false],
  ])('are told in a .npmrc: %s is %s', (npmrc, isSecret) => expect(holdsNpmToken(npmrc)).toBe(isSecret));
});

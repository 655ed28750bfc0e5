import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('the sources in a repository', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  /** The case of the field: nested rules, an exclude file of this clone, and a link between packages. */
  async function repository(): Promise<void> {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
    git('init', '--quiet');
    const files: Readonly<Record<string, string>> = {
      '.gitignore': 'dist/\n*.log\n',
      'package.json': '{}',
      'notes.log': 'a log that is tracked nevertheless',
      'dist/index.js': '//',
      'local-notes.txt': 'mine alone',
      'packages/a/.gitignore': 'secrets.json\n',
      'packages/a/index.js': '//',
      'packages/a/secrets.json': '{"token":"owl"}',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await appendFile(join(root, '.git/info/exclude'), 'local-notes.txt\n');
    await symlink('a', join(root, 'packages/b'));
    git('add', '--force', 'notes.log');
  }
  const packed = async (): Promise<readonly string[]> => {
    const { path, discard } = await prepareSources(root);
    const reader = await ZipReader.open(path);
    reader.close();
    await discard();
    return reader.names;
  };

  it('are what Git lists', async () => {
    await repository();
    const listed = execFileSync('git', ['-C', root, 'ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
    const files = listed.split('\n').filter((path) => path !== '' && path !== 'packages/b');
    expect([...(await packed())].sort()).toEqual(files.sort());
    expect(files).toContain('notes.log');
  });

  it('are what is there, where Git ignores all of it', async () => {
    await repository();
    await writeFile(join(root, '.git/info/exclude'), '*\n');
    await rm(join(root, '.git/index'));
    expect(await packed()).toContain('packages/a/index.js');
  });

  it.each(['id_rsa', 'client_secret_case.json', 'keys/release.p12'])(
    'are refused with a file named as secrets are, until it is named: %s',
    async (name) => {
      await repository();
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), 'not a key');
      await expect(prepareSources(root)).rejects.toMatchObject({
        exitCode: 2,
        message: `${join(root, name)} is named as files with secrets are. Nothing was packed.`,
        hint: expect.stringContaining(`!${name}`),
      });
      await appendFile(join(root, '.gitignore'), `!${name}\n`);
      expect(await packed()).toContain(name);
    },
  );
});

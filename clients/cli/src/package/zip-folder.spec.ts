import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoredInPackage } from './ignored.js';
import { zipFolder } from './zip-folder.js';

describe('the zip of a folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const folderOf = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name, path)), { recursive: true });
      await writeFile(join(root, name, path), content);
    }
    return join(root, name);
  };
  const ALL = (): boolean => false;
  const FILES = { 'manifest.json': '{}', 'lib/b.js': 'b', 'lib/a.js': 'a', 'Z.js': 'z' };

  it('is not made to its end when it is broken off, and leaves nothing behind', async () => {
    const folder = await folderOf('one', { ...FILES, 'large.txt': 'owl '.repeat(5_000_000) });
    const made = async (): Promise<readonly string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('pierhead-zip-'));
    const before = await made();
    const interruption = new AbortController();
    const zip = zipFolder(folder, ALL, { signal: interruption.signal });
    interruption.abort();
    await expect(zip).rejects.toMatchObject({ name: 'AbortError' });
    expect((await made()).filter((name) => !before.includes(name))).toEqual([]);
  });

  it('is the same for the same content, whatever the times, modes and order', async () => {
    const one = await folderOf('one', FILES);
    const other = await folderOf('other', Object.fromEntries(Object.entries(FILES).toReversed()));
    await utimes(join(other, 'Z.js'), 1_000_000, 1_000_000);
    await chmod(join(other, 'lib/a.js'), 0o755);
    const [first, second] = [await zipFolder(one, ALL), await zipFolder(other, ALL)];
    expect(first.files).toEqual(['Z.js', 'lib/a.js', 'lib/b.js', 'manifest.json']);
    expect(second.sha256).toBe(first.sha256);
    // On each Node.js and in each time zone.
    expect(first.sha256).toBe('b2301a11da040348dc24975f153cdd9ffde982efdf9239d6880a437673700abc');
    const bytes = await readFile(first.path);
    expect(bytes.equals(await readFile(second.path))).toBe(true);
    expect({ size: first.size, sha256: first.sha256 }).toEqual({
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    await Promise.all([first.discard(), second.discard()]);
    await expect(readFile(first.path)).rejects.toThrow('ENOENT');
  });

  it('says how far it is, up to the last byte', async () => {
    const told: (readonly number[])[] = [];
    const folder = await folderOf('one', { ...FILES, 'large.txt': 'owl '.repeat(100_000) });
    const zip = await zipFolder(folder, ALL, { onProgress: (...progress) => told.push(progress) });
    const [last = []] = told.toReversed();
    expect(last[0]).toBe(last[1]);
    expect(told.length).toBeGreaterThan(5);
    expect(told).toEqual(told.toSorted(([one = 0], [other = 0]) => one - other));
    await zip.discard();
  });

  it('is another one for other content', async () => {
    const [first, second] = [
      await zipFolder(await folderOf('one', FILES), ALL),
      await zipFolder(await folderOf('other', { ...FILES, 'Z.js': 'Z' }), ALL),
    ];
    expect(second.sha256).not.toBe(first.sha256);
    await Promise.all([first.discard(), second.discard()]);
  });

  it('leaves out what does not belong into a package', async () => {
    const folder = await folderOf('one', {
      ...FILES,
      '.env': 'SECRET=1',
      'node_modules/x/index.js': 'x',
      'lib/a.js.map': '{}',
      'key.pem': 'secret',
    });
    const zip = await zipFolder(folder, ignoredInPackage(['**/*.map']));
    expect(zip.files).toEqual(['Z.js', 'lib/a.js', 'lib/b.js', 'manifest.json']);
    await zip.discard();
  });

  it('has the file that a link leads to', async () => {
    const folder = await folderOf('one', { 'manifest.json': '{}' });
    const elsewhere = await folderOf('other', { 'a.js': 'a' });
    await symlink(elsewhere, join(folder, 'lib'));
    const zip = await zipFolder(folder, ALL);
    expect(zip.files).toEqual(['lib/a.js', 'manifest.json']);
    await zip.discard();
  });

  it('is refused when a link leads in a circle', async () => {
    const folder = await folderOf('one', { 'manifest.json': '{}' });
    await symlink(folder, join(folder, 'again'));
    await expect(zipFolder(folder, ignoredInPackage())).rejects.toThrow('is a link to a folder that contains it.');
  });

  it('is refused when a link leads to itself', async () => {
    const folder = await folderOf('one', { 'manifest.json': '{}' });
    await symlink('loop.js', join(folder, 'loop.js'));
    await expect(zipFolder(folder, ignoredInPackage())).rejects.toThrow(/loop\.js is a link that leads to itself\.$/);
  });

  it('is refused when nothing is in it', async () => {
    const folder = await folderOf('one', { '.git/HEAD': '' });
    await expect(zipFolder(folder, ignoredInPackage())).rejects.toThrow('has no file to pack.');
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { preparePackage } from './prepared.js';

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

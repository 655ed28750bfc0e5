import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a built clone runs from, and what npm knows its dependencies by. */
const COPIED = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'dist',
  'scripts',
  'console/dist',
  'clients/cli/schema',
  ...['console', 'sandbox', 'clients/action', 'clients/cli', 'clients/licensing'].map((name) => `${name}/package.json`),
];
const MAX_BYTES = 150e6;

/** What the files of a folder take on the disk, in bytes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(entries.map((entry) => lstat(join(entry.parentPath, entry.name))));
  return sizes.reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

describe('a production install', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-install-'));
    for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
    // As links, since it has forty thousand files.
    await once(spawn('cp', ['-al', join(ROOT, 'node_modules'), folder]), 'exit');
    const [code] = await once(spawn(process.execPath, ['scripts/prune.mjs'], { cwd: folder }), 'exit');
    expect(code).toBe(0);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is below 150 MB after npm run prune', async () => {
    expect(await sizeOf(join(folder, 'node_modules'))).toBeLessThan(MAX_BYTES);
  });

  it('serves the console, the API and its documents', async () => {
    const service = await startService({ DATA_DIR: join(folder, 'data') }, [], folder);
    const answers = ['/', '/api/docs/', '/api/v1/auth/methods', '/health/ready'].map((path) =>
      fetch(service.url + path),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await service.terminate();
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

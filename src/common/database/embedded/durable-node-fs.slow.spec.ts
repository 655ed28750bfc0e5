import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseNotDurable, DurableNodeFs } from './durable-node-fs.js';

const fails = (error: unknown): never => {
  throw error;
};

describe('an embedded database that would not force to the disk what it acknowledges', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-durable-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is refused when PGlite starts it without fsync', async () => {
    const fs = new DurableNodeFs(folder, fails);
    const database = await PGlite.create({ fs });
    await expect(fs.assertDurable(database)).rejects.toThrow(DatabaseNotDurable);
    await database.close();
  });

  it('is refused when PGlite has no file system left to put fsync into', async () => {
    const { emscriptenOpts } = await new DurableNodeFs(folder, fails).init({} as PGlite, {});
    const hook = emscriptenOpts.preRun?.at(-1) as (module: unknown) => void;
    expect(() => hook({ FS: { filesystems: {} } })).toThrow(DatabaseNotDurable);
  });
});

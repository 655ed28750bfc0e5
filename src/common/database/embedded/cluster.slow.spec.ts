import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { clusterIn, ENGINE, OtherEngine, PGLITE_VERSION, TEMPLATE } from './cluster.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

const BUILT = fileURLToPath(new URL('../../../../dist/common/database/embedded/embedded-postgres.js', import.meta.url));
/** Seconds, and many of them on a busy machine. */
const MAKES_CLUSTERS_MS = 300_000;
/** What differs between any two clusters that initdb makes: the identifier, the time, and their checksums. */
const OF_ONE_CLUSTER = ['global/pg_control', 'pg_wal/000000010000000000000001'];

/** Everything in a folder by its path, null for a folder. */
async function contentOf(folder: string): Promise<ReadonlyMap<string, string | null>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [relative(folder, path), entry.isDirectory() ? null : await readFile(path, 'latin1')] as const;
  });
  return new Map((await Promise.all(found)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const CLUSTERS = ['unpacked', 'made', 'made-again', 'made-for-incomplete', 'made-for-damaged'];

describe('the cluster of the embedded database', () => {
  let folder: string;
  const dataDirOf = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-cluster-'));
    const packed = await readFile(TEMPLATE);
    packed.write('0'.repeat(PGLITE_VERSION.length), packed.length - PGLITE_VERSION.length);
    const ofAnotherVersion = join(folder, 'of-another-version.zip');
    await writeFile(ofAnotherVersion, packed);
    const incomplete = join(folder, 'incomplete.zip');
    await writeFile(incomplete, packed.subarray(0, packed.length / 2));
    // The directory at its end is whole, and says that this version made it.
    const damaged = join(folder, 'damaged.zip');
    await writeFile(damaged, (await readFile(TEMPLATE)).fill(0, 100_000, 200_000));
    const templates = [TEMPLATE, join(folder, 'absent.zip'), ofAnotherVersion, incomplete, damaged];
    await Promise.all(
      CLUSTERS.map(async (name, index) => {
        await mkdir(dataDirOf(name));
        await clusterIn(dataDirOf(name), templates[index]);
      }),
    );
  }, MAKES_CLUSTERS_MS);
  afterAll(() => rm(folder, { recursive: true }));

  it('is the template, and one that initdb makes where there is no template, a damaged one or that of another version of PGlite', async () => {
    const identifiers = CLUSTERS.map(async (name) =>
      (await readFile(join(dataDirOf(name), 'postgres/global/pg_control'))).readBigUInt64LE(),
    );
    expect(new Set(await Promise.all(identifiers)).size).toBe(CLUSTERS.length);
    await mkdir(dataDirOf('unpacked-again'));
    expect(await contentOf(await clusterIn(dataDirOf('unpacked-again')))).toEqual(
      await contentOf(join(dataDirOf('unpacked'), 'postgres')),
    );
  });

  it('of another major version of PostgreSQL is refused, with the way over a backup', async () => {
    const made = join(dataDirOf('unpacked'), 'postgres/PG_VERSION');
    expect(await readFile(made, 'utf8')).toBe(`${ENGINE}\n`);
    const dataDir = dataDirOf('older');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(OtherEngine);
    await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(
      `${dataDir} has an embedded database of PostgreSQL 17, and this version of Pierhead has ${ENGINE}.`,
    );
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });

  it('has the same files, settings and locale in either way', async () => {
    const [unpacked, made] = await Promise.all(
      ['unpacked', 'made'].map(async (name) => {
        const content = new Map(await contentOf(join(dataDirOf(name), 'postgres')));
        for (const path of OF_ONE_CLUSTER) content.set(path, 'of one cluster');
        return content;
      }),
    );
    expect(made?.size).toBeGreaterThan(900);
    expect(unpacked).toEqual(made);

    const answers = [];
    for (const name of ['unpacked', 'made']) {
      const database = await startEmbeddedPostgres(dataDirOf(name));
      const client = new pg.Client(database.url);
      await client.connect();
      const ask = async (sql: string): Promise<unknown[]> => (await client.query<object>(sql)).rows;
      answers.push({
        settings: await ask('select name, setting from pg_settings order by name'),
        databases: await ask(
          'select datname, pg_encoding_to_char(encoding) as encoding, datlocprovider, datcollate, datctype from pg_database order by datname',
        ),
      });
      await client.end();
      await database.stop();
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.settings).toEqual(
      expect.arrayContaining([
        { name: 'fsync', setting: 'on' },
        { name: 'wal_sync_method', setting: 'fsync' },
        { name: 'server_encoding', setting: 'UTF8' },
      ]),
    );
  });

  it('is nowhere while it is unpacked, is refused to a second process, and is unpacked again after a crash', async () => {
    const dataDir = dataDirOf('interrupted');
    await mkdir(dataDir);
    const script = `(await import(${JSON.stringify(BUILT)})).startEmbeddedPostgres(${JSON.stringify(dataDir)})`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    while (!(await readdir(dataDir, { recursive: true })).some((path) => /^postgres\.new\..*PG_VERSION/.test(path)));
    child.kill('SIGSTOP');
    expect(await readdir(dataDir)).not.toContain('postgres');
    await expect(startEmbeddedPostgres(dataDir)).rejects.toMatchObject({ name: 'DataDirInUse' });
    child.kill('SIGKILL');
    await ended;

    const database = await startEmbeddedPostgres(dataDir);
    await database.stop();
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });
});

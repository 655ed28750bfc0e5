import { readdirSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createLicensing, type PinnedKey } from '../../clients/licensing/index.js';
import { Resources } from '../guard/every-resource.js';
import { LocalStorage } from '../licensing/local-storage.js';
import { furnished, sha256Of } from '../tenant-data/tenant-fixture.js';
import { DataSource, VERSION, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { run } from '../support/process.js';
import { columnsOf, fillEmptyTables, tablesOf } from './every-table.js';

/** Of each release a backup with rows in every table, and what its users hold, as `1.0.0.zip` and `1.0.0.json`. */
const KEPT = fileURLToPath(new URL('releases/', import.meta.url));
/** What a clone takes for ever, release by release. */
const MAX_BACKUP_BYTES = 300_000;
/** Those of all releases, whose secrets are read here. */
export const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  CODE_PEPPERS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  TOKEN_SECRET: 'a secret that only the tests know and use',
};

interface TableContent {
  /** The columns that the release had. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly digest: string;
}

/** What the users of a release hold, with which every later version must serve them. */
export interface Held {
  /** When the backup was made. */
  readonly at: string;
  readonly token: string;
  readonly cookie: string;
  readonly extensionId: string;
  readonly licenseId: string;
  readonly code: string;
  readonly keys: readonly PinnedKey[];
  /** `chrome.storage.local` of the device that has the only seat. */
  readonly device: Readonly<Record<string, unknown>>;
  readonly member: string;
  readonly package: { readonly id: string; readonly sha256: string };
  readonly orders: readonly unknown[];
  readonly tables: Readonly<Record<string, TableContent>>;
}

/** A backup that a release made, by its path, and what its users hold. */
export interface Release {
  readonly backup: string;
  readonly held: Held;
}

/** The releases that were kept, by version, oldest first. */
export const RELEASES: readonly string[] = readdirSync(KEPT)
  .filter((name) => name.endsWith('.zip'))
  .map((name) => name.slice(0, -'.zip'.length))
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));

/** Reads what a release has left. */
export async function keptRelease(version: string): Promise<Release> {
  const held = JSON.parse(await readFile(join(KEPT, `${version}.json`), 'utf8')) as Held;
  return { backup: join(KEPT, `${version}.zip`), held };
}

/**
 * Uses the service through its API, fills the tables that this leaves empty, and makes a backup. With `KEEP_RELEASE=1` the backup is kept for
 * the tests of all later versions.
 */
export async function makeRelease(base: World, folder: string): Promise<Release> {
  const { owner } = await Resources.in(base);
  await furnished(base);
  const api = base.api.as(owner);
  const planId = await base.given.plan(owner, owner.extensionId, 1);
  const { licenseId, code } = await base.given.licensed({ extensionId: owner.extensionId, planId }, owner);
  await api.patch(`/licenses/${licenseId}`, { maxMembers: 5 });
  const member = 'member@buyer.example';
  expectStatus(await api.post(`/licenses/${licenseId}/members`, { email: member }), 201);
  const { keys } = expectStatus(await base.api.get(`/licensing/keys/${owner.extensionId}`), 200).body;
  const storage = new LocalStorage();
  const users = { ...owner, licenseId, code, keys, member };
  expect(await licensingOf(base, users, storage).activate(code, 'The first device')).toMatchObject({ isActive: true });
  await base.tick();
  const source = base.app.get(DataSource);
  await fillEmptyTables(source);
  const { token, cookie, extensionId } = owner;
  const [{ id, sha256 }] = expectStatus(await api.get(`/artifacts?extension=${extensionId}`), 200).body.artifacts;
  const held: Held = {
    at: base.clock.now().toISOString(),
    token,
    cookie,
    extensionId,
    licenseId,
    code,
    keys,
    member,
    device: storage.items,
    package: { id, sha256 },
    orders: expectStatus(await api.get('/orders'), 200).body.items,
    tables: await contentOf(source),
  };
  const env = { DATABASE_URL: base.database.url, DATA_DIR: base.dataDir, BACKUP_TO: folder, ...KEYS };
  const { stdout, stderr } = await run(['dist/commands/admin.js', 'backup', '--json'], env);
  if (stdout === '') throw new Error(stderr);
  const { name, size } = JSON.parse(stdout) as { readonly name: string; readonly size: number };
  expect(size).toBeLessThan(MAX_BACKUP_BYTES);
  const backup = join(folder, name);
  if (process.env['KEEP_RELEASE'] === '1') {
    await cp(backup, join(KEPT, `${VERSION}.zip`));
    await writeFile(join(KEPT, `${VERSION}.json`), `${JSON.stringify(held, null, 2)}\n`);
  }
  return { backup, held };
}

/** What is in each table, of the columns that it has, or of those that it had. */
export async function contentOf(
  source: DataSource,
  before: Held['tables'] | null = null,
): Promise<Record<string, TableContent>> {
  const content: Record<string, TableContent> = {};
  // Another connection would wait for this one on the embedded database.
  await source.transaction(async (manager) => {
    await manager.query(`set local timezone = 'UTC'`);
    for (const table of before === null ? await tablesOf(manager) : Object.keys(before)) {
      // Which migrations have run is what an upgrade changes.
      if (table === 'migration') continue;
      const columns = before?.[table]?.columns ?? (await columnsOf(manager, table)).map(({ name }) => name);
      const [row] = await manager.query<{ readonly rows: number; readonly digest: string }[]>(
        `select count(*)::int as rows, md5(string_agg(r.text, '' order by r.text)) as digest
           from (select row(${columns.join(', ')})::text as text from ${table}) r`,
      );
      if (row !== undefined) content[table] = { columns, ...row };
    }
  });
  return content;
}

/** The client in an extension of the release. */
export const licensingOf = (
  world: World,
  { extensionId, keys }: Pick<Held, 'extensionId' | 'keys'>,
  storage: LocalStorage,
  isOffline = false,
): ReturnType<typeof createLicensing> =>
  createLicensing({
    url: world.url,
    extensionId,
    keys,
    storage,
    version: '1.2.3',
    now: () => world.clock.now().getTime(),
    fetch: (url, init) => (isOffline ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)),
  });

/** Downloads a package. @returns the digest of its bytes */
export async function digestOfPackage(world: World, { token, package: { id } }: Held): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${world.url}/api/v1/artifacts/${id}/download`, { headers });
  expect(response.status).toBe(200);
  return sha256Of(Buffer.from(await response.arrayBuffer()));
}

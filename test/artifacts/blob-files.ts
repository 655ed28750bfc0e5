import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type World } from '../support/app.js';

/** Far beyond what anything takes here, and within a test's own time. */
const GIVEN_UP_MS = 30_000;
const LOOK_EVERY_MS = 5;

/** What lies on the service's disk and in its table of blobs. */
export class BlobFiles {
  constructor(private readonly world: World) {}

  /** Files of kept packages, by content if one is named; not those of the clients, which each service stores. */
  async blobs(sha256 = ''): Promise<readonly string[]> {
    return (await this.files('blobs')).filter((name) => name.includes(sha256) && !name.includes('.tgz.'));
  }

  /** Files of uploads under way. */
  uploads(): Promise<readonly string[]> {
    return this.files('uploads');
  }

  async rows(sha256: string): Promise<readonly { readonly id: string; readonly key: string }[]> {
    return this.world.app.get(DataSource).query('select id, key from blob where sha256 = $1', [sha256]);
  }

  /** How many versions of an extension the database has. */
  async artifacts(extensionId: string): Promise<number> {
    const rows: readonly unknown[] = await this.world.app
      .get(DataSource)
      .query('select 1 from artifact where extension_id = $1', [extensionId]);
    return rows.length;
  }

  async files(folder: string): Promise<readonly string[]> {
    const entries = await readdir(join(this.world.dataDir, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }
}

/** Looks until it has happened, however busy the machine is. */
export async function until(what: string, happened: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + GIVEN_UP_MS;
  while (!(await happened())) {
    if (performance.now() > end) throw new Error(`It never came true that ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

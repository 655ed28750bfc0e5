import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../support/app.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'src/common/database/migrations';
const read = (path: string): Buffer => readFileSync(join(ROOT, path));
const sha256 = (path: string): string => createHash('sha256').update(read(path)).digest('hex');

/** An entry of releases.json, as `npm run release` writes it. */
interface Release {
  readonly version: string;
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  /** The digest of schema.txt. */
  readonly schema: string;
}
const releases = JSON.parse(String(read('releases.json'))) as readonly Release[];

it.each(releases)('release $version has migrations that never change, and a backup', ({ version, migrations }) => {
  expect(migrations.map(({ name }) => ({ name, sha256: sha256(join(FOLDER, name)) }))).toEqual(migrations);
  for (const kept of [`${version}.zip`, `${version}.json`])
    expect(existsSync(join(ROOT, 'test/upgrades/releases', kept))).toBe(true);
});

it('each migration names a release, or one to come, as the oldest version that may serve its schema', () => {
  const versions = releases.map(({ version }) => version);
  const byVersion = new Intl.Collator('en', { numeric: true }).compare;
  const isOther = (oldest: string): boolean =>
    !versions.includes(oldest) && byVersion(oldest, versions.at(-1) ?? '0.1.0') <= 0;
  const oldest = MIGRATIONS.map((Each) => new Each().oldestVersion);
  expect(oldest).not.toEqual([]);
  expect(oldest.filter(isOther)).toEqual([]);
});

it('the schema is the one of the last release, unless a migration has changed it since', () => {
  const { migrations, schema } = releases.at(-1) ?? { migrations: [], schema: '' };
  const files = readdirSync(join(ROOT, FOLDER)).filter((name) => /^\d+-.*(?<!\.spec)\.ts$/.test(name));
  const isChanged = sha256('src/common/database/schema.txt') !== schema;
  expect(files.length > migrations.length).toBe(isChanged);
});

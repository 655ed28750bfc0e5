// npm run docs:schema: writes src/common/database/schema.txt, the schema that all migrations make, in which the service recognizes its database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ROOT } from './built.mjs';

flagsOf('npm run docs:schema', 'Writes src/common/database/schema.txt: every table, column, constraint and index.');

ensureBuilt();
const { catalogueOf, dataSourceOptions, migrate, startEmbeddedPostgres } =
  await import('../dist/common/database/index.js');
const dataDir = mkdtempSync(join(tmpdir(), 'pierhead-schema-'));
const { url, stop } = await startEmbeddedPostgres(dataDir);
await migrate(url, { allowsDrift: true });
const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
const catalogue = await catalogueOf(source);
await source.destroy();
await stop();
rmSync(dataDir, { recursive: true });
writeFileSync(join(ROOT, 'src/common/database/schema.txt'), `${catalogue.join('\n')}\n`);

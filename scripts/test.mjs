// npm test: all tests on the embedded database, and then what a server could change on PostgreSQL when one answers. Arguments go to Jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureBuilt, ROOT } from './built.mjs';
import { allSpecs, writeGroups } from './spec-groups.mjs';

const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const LOCAL_SERVER = 'postgres://postgres@127.0.0.1:5432/postgres';
/** For what runs read and write. */
const scratch = mkdtempSync(join(tmpdir(), 'pierhead-tests-'));

async function serverUrl() {
  const url = process.env.TEST_DATABASE_URL || LOCAL_SERVER;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('server_version') as version");
    await client.end();
    return { url, version: rows[0].version };
  } catch (error) {
    if (process.env.TEST_DATABASE_URL) throw error;
    return null;
  }
}

const chosen = process.argv.slice(2);
/** The engine among faulty stores and dying processes, and floods: minutes that need be spent on one database only, the server when there is one. */
const LONG =
  /^test\/(analytics\/flood|reconcile\/(channels|edge|faults-everywhere|firefox|frozen|options|other-content|public-id|review|secrets|store-faults)|whole\/kill-9)/;
/** Both databases are PostgreSQL: what many sessions at once, or a server's own ways, could change runs on the server too. */
const ON_SERVER =
  /^(test\/((analytics|identity|licensing|mail|notifications|reconcile|webhooks)\/|whole\/(keys|kill-9|killed|process)|guard\/(schema|unavailable))|src\/common\/database\/transactions)/;

/** @param {string} name @param {string} databaseUrl @param {readonly string[]} args of Jest */
function run(name, databaseUrl, args) {
  const report = join(scratch, `${name}.json`);
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', JEST, '--json', `--outputFile=${report}`, ...args],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, TEST_DATABASE_URL: databaseUrl } },
  );
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { status, passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Runs what was asked for, each file by itself; or else what is due on this database, in groups. */
function runOn(name, databaseUrl, isDue) {
  process.stdout.write(`\nTests on ${name}\n`);
  const args = chosen.length > 0 ? chosen : ['--roots', writeGroups(allSpecs().filter(isDue), scratch)];
  return run(name, databaseUrl, args);
}

ensureBuilt();
const server = await serverUrl();
const runs = [runOn('the embedded database', '', (path) => server === null || !LONG.test(path))];
if (server === null)
  process.stdout.write(
    '\nNo PostgreSQL answers on 127.0.0.1:5432 and TEST_DATABASE_URL is not set: the tests ran on the embedded database only.\n',
  );
else runs.push(runOn(`PostgreSQL ${server.version}`, server.url, (path) => ON_SERVER.test(path)));
rmSync(scratch, { recursive: true });

const total = (name) => runs.reduce((sum, each) => sum + each[name], 0);
process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`);
process.exit(runs.every(({ status }) => status === 0) ? 0 : 1);

// npm test: all tests on the embedded database, and then those that use one on PostgreSQL when a server answers. Arguments go to Jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureBuilt, ROOT } from './built.mjs';

const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const LOCAL_SERVER = 'postgres://postgres@127.0.0.1:5432/postgres';
const reports = mkdtempSync(join(tmpdir(), 'pierhead-tests-'));

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
/** Whatever uses this uses the database under test; the other tests would only be repeated. */
const databaseUsers = [
  '--findRelatedTests',
  join(ROOT, 'test/support/database.ts'),
  // What stores can do wrong is the same on both, and takes minutes.
  '--testPathIgnorePatterns',
  'faults-everywhere',
];

function run(name, databaseUrl, selection) {
  process.stdout.write(`\nTests on ${name}\n`);
  const report = join(reports, `${name}.json`);
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', JEST, '--json', `--outputFile=${report}`, ...selection],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, TEST_DATABASE_URL: databaseUrl } },
  );
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { status, passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

ensureBuilt();
const runs = [run('the embedded database', '', chosen)];
const server = await serverUrl();
if (server === null)
  process.stdout.write(
    '\nNo PostgreSQL answers on 127.0.0.1:5432 and TEST_DATABASE_URL is not set: the tests ran on the embedded database only.\n',
  );
else runs.push(run(`PostgreSQL ${server.version}`, server.url, chosen.length === 0 ? databaseUsers : chosen));
rmSync(reports, { recursive: true });

const total = (name) => runs.reduce((sum, each) => sum + each[name], 0);
process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`);
process.exit(runs.every(({ status }) => status === 0) ? 0 : 1);

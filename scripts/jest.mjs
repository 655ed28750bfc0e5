// Runs Jest for the scripts that test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { ROOT } from './built.mjs';

const LOCAL_SERVER = 'postgres://postgres@127.0.0.1:5432/postgres';

/** Tests that take too long for every change. */
export const SLOW = String.raw`\.slow\.spec\.ts$`;
/** One or two spec files of most features: enough to show that the service works on another database, or on another Node.js. */
export const SMOKE = [
  'test/identity/sessions',
  'test/registry/extensions',
  'test/credentials/credentials',
  'test/targets/targets',
  'test/artifacts/pushing',
  'test/reconcile/public-id',
  'test/licensing/together',
  'test/webhooks/sales',
  'test/mail/mail',
  'test/notifications/confirmations',
  'test/guard/schema',
];

/** @returns the PostgreSQL to test on, or null when none answers and none was asked for */
export async function findServer() {
  const url = process.env.TEST_DATABASE_URL || LOCAL_SERVER;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('server_version') as version");
    await client.end();
    return { url, name: `PostgreSQL ${rows[0].version}` };
  } catch (error) {
    if (process.env.TEST_DATABASE_URL) throw error;
    return null;
  }
}

export const EMBEDDED = { url: '', name: 'the embedded database' };

/**
 * Runs a program in the project's folder. When others run beside it, its output is printed once it has ended.
 * @returns whether it succeeded
 */
export async function runProgram(title, program, args, { env = {}, isBeside = false } = {}) {
  const say = () => process.stderr.write(`\n${title}\n`);
  if (!isBeside) say();
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', isBeside ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const said = isBeside ? await text(child.stderr) : '';
  const [code] = await ended;
  if (isBeside) say();
  process.stderr.write(said);
  return code === 0;
}

/** Runs spec files on a database; beside other runs, with one worker. @param {readonly string[]} args of Jest @param {string} node what runs it */
export async function runJest(title, database, args, { node = process.execPath, env = {}, isBeside = false } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'pierhead-tests-'));
  const report = join(scratch, 'report.json');
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--json', `--outputFile=${report}`];
  const flags = ['--experimental-vm-modules', '--no-warnings', ...jest, ...(isBeside ? ['--runInBand'] : []), ...args];
  const isGood = await runProgram(`${title} on ${database.name}`, node, flags, {
    env: { ...env, TEST_DATABASE_URL: database.url },
    isBeside,
  });
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  rmSync(scratch, { recursive: true });
  const isSkipped = ({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending');
  return {
    isGood,
    passed: numPassedTests,
    failed: numFailedTests + numRuntimeErrorTestSuites,
    skipped: testResults.filter(isSkipped).map(({ name }) => relative(ROOT, name)),
  };
}

/**
 * Says how many tests passed in all runs, and ends the process accordingly.
 * @param untested what the runs leave untested, in a sentence; empty for nothing. CI fails then
 */
export function finish(runs, untested = '') {
  const total = (name) => runs.reduce((sum, run) => sum + run[name], 0);
  process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`);
  if (untested !== '') process.stdout.write(`${untested}\n`);
  const isWhole = untested === '' || process.env.CI !== 'true';
  process.exit(isWhole && runs.every(({ isGood }) => isGood) ? 0 : 1);
}

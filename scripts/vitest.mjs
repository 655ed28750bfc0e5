// Runs Vitest and other programs for the scripts that test, and prints what came of them.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { ROOT } from './built.mjs';
import { startChild } from './children.mjs';

const LOCAL_SERVER = 'postgres://postgres@127.0.0.1:5432/postgres';

/** Leaves out tests that take too long for every change. */
export const NOT_SLOW = ['--exclude', '**/*.slow.spec.ts'];

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
  const output = isBeside ? 'pipe' : 'inherit';
  const child = startChild(program, args, {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const said = isBeside ? await Promise.all([text(child.stdout), text(child.stderr)]) : [];
  const [code] = await ended;
  if (isBeside) say();
  process.stderr.write(said.join(''));
  return code === 0;
}

/** Runs a program as one test. */
export async function runAsTest(title, program, args, options) {
  const isGood = await runProgram(title, program, args, options);
  return { isGood, passed: Number(isGood), failed: Number(!isGood), skipped: [], failures: isGood ? [] : [title] };
}

/** Runs spec files on a database; beside other runs, with one worker. @param {readonly string[]} args of Vitest @param {string} node what runs it */
export async function runVitest(title, database, args, { node = process.execPath, env = {}, isBeside = false } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'pierhead-report-'));
  const report = join(scratch, 'report.json');
  const reporters = ['--reporter=default', '--reporter=./test/support/report.mjs'];
  const flags = ['run', ...reporters, ...(isBeside ? ['--maxWorkers=1'] : []), ...args];
  const isGood = await runProgram(
    `${title} on ${database.name}`,
    node,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...flags],
    {
      env: {
        // With its default number of arenas, glibc keeps hundreds of megabytes that password hashes have freed.
        MALLOC_ARENA_MAX: '2',
        ...env,
        TEST_DATABASE_URL: database.url,
        TEST_REPORT: report,
      },
      isBeside,
    },
  );
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : NO_REPORT;
  rmSync(scratch, { recursive: true });
  if (result.failed > 0 || isGood) return { ...result, isGood };
  return { ...result, failed: 1, failures: [`${title}: something outside of any test, printed above`], isGood };
}

const NO_REPORT = { passed: 0, failed: 1, skipped: [], failures: ['Vitest wrote no report'] };

const parts = [];

/** Does a part of the tests, whose time is printed at the end. @returns its runs */
export async function part(name, work) {
  const [began, cpu] = [performance.now(), childrenCpuMs()];
  const runs = [await work()].flat();
  parts.push({ name, ms: performance.now() - began, cpuMs: childrenCpuMs() - cpu });
  return runs;
}

/** Processor time of the processes that this one started and that have ended; only Linux tells. */
function childrenCpuMs() {
  if (process.platform !== 'linux') return 0;
  const [, fields] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  // cutime and cstime, in hundredths of a second.
  const [user, system] = fields.split(' ').slice(13, 15).map(Number);
  return (user + system) * 10;
}

/**
 * Says what failed, how long each part took and how many tests passed in all, and ends the process accordingly.
 * @param untested what the runs leave untested, in a sentence; empty for nothing. CI fails then
 */
export function finish(runs, untested = '') {
  const total = (name) => runs.reduce((sum, run) => sum + run[name], 0);
  const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`.padStart(8);
  for (const { failures } of runs) for (const failed of failures) process.stdout.write(`\nFAILED ${failed}\n`);
  process.stdout.write(`\n    time  processor\n`);
  for (const { name, ms, cpuMs } of parts) process.stdout.write(`${seconds(ms)}   ${seconds(cpuMs)}  ${name}\n`);
  process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`);
  if (untested !== '') process.stdout.write(`${untested}\n`);
  const isWhole = untested === '' || process.env.CI !== 'true';
  const isGood = total('failed') === 0 && runs.every((run) => run.isGood);
  process.exit(isWhole && isGood ? 0 : 1);
}

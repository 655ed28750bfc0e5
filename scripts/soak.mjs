// npm run test:soak: the slow tests, what leans on its database on the embedded one, what leans on Node.js on each later version that is
// supported, a smoke set through PgBouncer, a minute of chaos, and a minute of the simulator with the seeds of the day.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureClientBuilt, ensureClusterBuilt, ensureConsoleBuilt } from './built.mjs';
import { flagsOf } from './arguments.mjs';
import { startPgBouncer } from './pgbouncer.mjs';
import { missingPrograms } from '../test/chaos/programs.mjs';
import { EMBEDDED, findServer, finish, runJest, runProgram, SLOW } from './jest.mjs';

flagsOf(
  'npm run test:soak',
  'Runs the slow tests, what leans on its database on the embedded one, a smoke set on later Node.js and through PgBouncer, a minute of chaos and one of the simulator.',
);

const OTHER_NODES = [22, 24, 26];
/** What leans on Node.js itself: its crypto, streams, sockets and timers. */
const OF_NODE = ['test/identity/sessions', 'test/artifacts/pushing', 'test/licensing/together'];
/** What a pooler could break: locks, prepared statements and settings of a session. */
const OF_POOLER = [
  ...OF_NODE,
  'test/reconcile/public-id',
  'test/webhooks/sales.e2e',
  'test/notifications/confirmations',
];
/**
 * What leans on its database, beside what `npm test` runs on the embedded one: locks, work that is taken, batches and figures. Processes
 * behave differently on each.
 */
const OF_DATABASE = [
  String.raw`test/licensing/(seated-together|as-decided|status|teams|batches|trials)`,
  String.raw`test/reconcile/(at-once|approvals|publishing|rejections)`,
  String.raw`test/webhooks/(orders-at-once|erasure|returning)`,
  String.raw`test/(analytics|mail|notifications|overview|instance|upgrades)/`,
  String.raw`test/process/(keys|killed|process|strangers)\.`,
];
/** Slow tests but those of processes, for which one database is enough. */
const SLOW_ELSEWHERE = String.raw`^(?!.*test/process/).*${SLOW}`;

/** @returns the path of a file that a package has, fetched from npm the first time, or null when that cannot be done */
async function fetchedFrom(name, version, file) {
  const folder = join(tmpdir(), `pierhead-${name}-${version}`);
  const path = join(folder, 'node_modules', name, file);
  if (!existsSync(path)) {
    const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${version}`];
    await once(spawn('npm', args, { stdio: 'ignore' }), 'close');
  }
  return existsSync(path) ? path : null;
}

/** Starts the service, plays the demo on it, and runs the smoke tests. */
async function runsOn({ major, fetched }) {
  const node = await fetched;
  if (node === null) {
    process.stdout.write(`\nNode.js ${major} could not be fetched from npm.\n`);
    return [{ isGood: false, passed: 0, failed: 1 }];
  }
  const demo = ['scripts/demo.mjs', '--exit'];
  const isGood = await runProgram(`The demo on Node.js ${major}`, node, demo, { env: { PORT: '0' }, isBeside: true });
  const smoke = await runJest(`Smoke tests with Node.js ${major}`, EMBEDDED, OF_NODE, { node, isBeside: true });
  return [{ isGood, passed: Number(isGood), failed: Number(!isGood) }, smoke];
}

/** PgBouncer may change the server session after each transaction, so nothing may rely on what it left in one. */
async function runThroughPgBouncer(server) {
  const pooler = server === null ? null : await startPgBouncer(server.url);
  if (pooler === null) {
    process.stdout.write('\nThe smoke tests did not run through PgBouncer: PgBouncer or PostgreSQL is missing.\n');
    return [];
  }
  const env = { TEST_POOLER: pooler.host };
  const run = await runJest('Smoke tests through PgBouncer', server, OF_POOLER, { env, isBeside: true });
  await pooler.stop();
  return [run];
}

/** One of the ten minutes of `npm run test:chaos`: nothing may be lost or doubled; times are reported and not judged. */
async function runChaos() {
  const missing = missingPrograms();
  if (missing.length > 0) {
    process.stdout.write(`\nThe chaos test did not run: ${missing.join(' and ')} is not installed.\n`);
    return [];
  }
  const isGood = await runProgram('A minute of chaos', process.execPath, ['scripts/chaos.mjs', '--seconds', '60']);
  return [{ isGood, passed: Number(isGood), failed: Number(!isGood) }];
}

/** Worlds that nobody has seen: each day others. The trace of a run that fails names the seed that repeats it. */
async function runSimulator() {
  const today = new Date().toISOString().slice(0, 10);
  const args = ['scripts/sim.mjs', '--seed', today, '--years', '0.02', '--seconds', '60', '--no-shrink'];
  const isGood = await runProgram(`A minute of simulated weeks, seed ${today}`, process.execPath, args);
  return [{ isGood, passed: Number(isGood), failed: Number(!isGood) }];
}

ensureBuilt();
ensureClusterBuilt();
ensureClientBuilt();
ensureConsoleBuilt();
const nodes = OTHER_NODES.map((major) => ({
  major,
  fetched: fetchedFrom(`node-${process.platform}-${process.arch}`, major, 'bin/node'),
}));
// As a dependency, it would add half a gigabyte to every `npm ci`.
process.env.PLASMO = (await fetchedFrom('plasmo', '0.90.5', 'bin/index.mjs')) ?? '';
const server = await findServer();
const runs = [await runJest('Slow tests', server ?? EMBEDDED, [SLOW])];
if (server !== null) {
  runs.push(
    await runJest('What leans on its database', EMBEDDED, [...OF_DATABASE, '--testPathIgnorePatterns', SLOW_ELSEWHERE]),
  );
}
// All at once: the demos wait most of the time, and each run of Jest begins with what only one core can do.
runs.push(...(await Promise.all([...nodes.map(runsOn), runThroughPgBouncer(server)])).flat());
runs.push(...(await runChaos()));
runs.push(...(await runSimulator()));
finish(runs);

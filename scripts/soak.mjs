// npm run test:soak: the tests that take long, everything that `npm test` leaves out on the embedded database, and a smoke set on each later
// Node.js that is supported.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureClientBuilt, ensureConsoleBuilt, ROOT } from './built.mjs';
import { flagsOf } from './arguments.mjs';
import { EMBEDDED, findServer, finish, runJest, SMOKE, SOAK } from './jest.mjs';

flagsOf(
  'npm run test:soak',
  'Runs the tests that take long, the rest on the embedded database, and a smoke set on later Node.js.',
);

const OTHER_NODES = [22, 24, 26];
/**
 * What needs no database, what holds requests to rules that no database knows, and long tests of the engine, for which the server is
 * enough; processes behave differently on each.
 */
const ON_ONE_DATABASE = String.raw`test/(contracts|payments|cli|guard|identity|audit|leaving)/|^(?!.*test/whole/(keys|killed|process|strangers)\.).*${SOAK}`;

/** @returns the path of a Node.js, fetched from npm the first time, or null when that cannot be done */
function nodeOf(major) {
  const folder = join(tmpdir(), `pierhead-node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(path))
    spawnSync('npm', ['install', '--prefix', folder, '--no-save', `${name}@${major}`], { stdio: 'ignore' });
  return existsSync(path) ? path : null;
}

/** Starts the service, plays the demo on it, and runs the smoke tests. */
function runsOn(major) {
  const node = nodeOf(major);
  if (node === null) {
    process.stdout.write(`\nNode.js ${major} could not be fetched from npm.\n`);
    return [{ isGood: false, passed: 0, failed: 1 }];
  }
  process.stdout.write(`\nThe demo on Node.js ${major}\n`);
  const env = { ...process.env, PORT: '0' };
  const { status } = spawnSync(node, ['scripts/demo.mjs', '--exit'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  const isGood = status === 0;
  const demo = { isGood, passed: Number(isGood), failed: Number(!isGood) };
  return [demo, runJest(`Smoke tests with Node.js ${major}`, EMBEDDED, SMOKE, node)];
}

ensureBuilt();
ensureClientBuilt();
ensureConsoleBuilt();
const server = await findServer();
const runs = [runJest('Long tests', server ?? EMBEDDED, [SOAK])];
if (server !== null) {
  const rest = ['test/', '--testPathIgnorePatterns', ON_ONE_DATABASE, ...SMOKE];
  runs.push(runJest('What has run on the server only', EMBEDDED, rest));
}
for (const major of OTHER_NODES) runs.push(...runsOn(major));
finish(runs);

// npm test: all tests but the slow ones on PostgreSQL and a smoke set on the embedded database, or all of them there when no PostgreSQL
// answers. Arguments go to Jest, and choose among the slow ones too. Unit tests run apart from the service: Node.js 20 never frees what a file
// imported, and the last of all files would run in a heap of gigabytes.
import { ensureBuilt, ensureClientBuilt, ensureClusterBuilt, ensureConsoleBuilt } from './built.mjs';
import { EMBEDDED, findServer, finish, runJest, SLOW, SMOKE } from './jest.mjs';

const chosen = process.argv.slice(2);
const paths = chosen.filter((argument) => !argument.startsWith('-'));
// What stands beside its source needs nothing that is built, but for processes that src/common/ starts.
if (paths.length === 0 || !paths.every((path) => /^(?:src\/(?!common\/)\w|sandbox\/|clients\/|console\/)/.test(path))) {
  ensureBuilt();
  ensureClusterBuilt();
  ensureClientBuilt();
  ensureConsoleBuilt();
}
const server = await findServer();
if (server === null)
  process.stdout.write('\nNo PostgreSQL answers on 127.0.0.1:5432, and TEST_DATABASE_URL is not set.\n');
const database = server ?? EMBEDDED;
if (chosen.length > 0) finish([await runJest('The chosen tests', database, chosen)]);
const below = (...folders) => ['--roots', ...folders, '--testPathIgnorePatterns', SLOW];
const runs = [
  await runJest('Unit tests', database, below('src', 'sandbox', 'clients', 'console/src')),
  await runJest('Tests of the service', database, below('test')),
];
if (server !== null) runs.push(await runJest('Smoke tests', EMBEDDED, SMOKE));
// Only where there is no Chromium is this file skipped.
const hasPages = !runs.some(({ skipped }) => skipped.includes('test/console/pages.e2e.spec.ts'));
finish(runs, hasPages ? '' : 'The pages of the console were not tested, because Chromium is missing.');

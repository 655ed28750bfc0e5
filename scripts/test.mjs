// npm test: all tests but the slow ones, on PostgreSQL or, when none answers, on the embedded database. Arguments go to Vitest, and choose among
// the slow ones too; `--changed` runs what imports a changed file, `--profile` says where the time goes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureClientsBuilt, ensureClusterBuilt, ensureConsoleBuilt, ensureTestTools } from './built.mjs';
import { profileOf } from './test-profile.mjs';
import { EMBEDDED, findServer, finish, NOT_SLOW, part, runVitest } from './vitest.mjs';

const given = process.argv.slice(2);
const isProfiled = given.includes('--profile');
const chosen = given.filter((argument) => argument !== '--profile');
const paths = chosen.filter((argument) => !argument.startsWith('-'));
ensureTestTools();
// What stands beside its source needs nothing that is built, but for processes that src/common/ starts.
if (paths.length === 0 || !paths.every((path) => /^(?:src\/(?!common\/)\w|sandbox\/|clients\/|console\/)/.test(path))) {
  ensureBuilt();
  ensureClusterBuilt();
  ensureClientsBuilt();
  ensureConsoleBuilt();
}
const server = await findServer();
if (server === null)
  process.stdout.write('\nNo PostgreSQL answers on 127.0.0.1:5432, and TEST_DATABASE_URL is not set.\n');
const scratch = mkdtempSync(join(tmpdir(), 'pierhead-profile-'));
const profile = join(scratch, 'files.jsonl');
const env = isProfiled ? { TEST_PROFILE: profile } : {};
const [title, args] =
  paths.length > 0 ? ['The chosen tests', chosen] : ['All tests but the slow ones', [...NOT_SLOW, ...chosen]];
const runs = await part('tests', () => runVitest(title, server ?? EMBEDDED, args, { env }));
if (isProfiled) process.stdout.write(`\n${profileOf(profile)}`);
rmSync(scratch, { recursive: true });
// Only where there is no Chromium is this file skipped.
const hasPages = !runs.some(({ skipped }) => skipped.includes('test/console/pages.e2e.spec.ts'));
finish(runs, hasPages ? '' : 'The pages of the console were not tested, because Chromium is missing.');

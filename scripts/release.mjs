// npm run release -- minor: makes a release of what is committed, and keeps what later versions are tested with. Publishes nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './built.mjs';
import { currentVersion, notesOf, setVersion } from './versions.mjs';

const KINDS = ['major', 'minor', 'patch'];
const USAGE = `Usage: npm run release -- ${KINDS.join('|')}
Checks this clone, sets the next version everywhere, commits, tags, and keeps in releases/ the packages with their checksums. Publishes nothing,
and prints the commands that do.
`;
const EXIT_USAGE = 64;
const MIGRATIONS = 'src/common/database/migrations';

/** Ends with a sentence. */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs a program in the clone. @returns what it printed, or nothing where it is shown */
function run(program, args, { isShown = true, env = {} } = {}) {
  const { status, stdout } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
  return stdout?.trim() ?? '';
}
const git = (...args) => run('git', args, { isShown: false });
const read = (path) => readFileSync(join(ROOT, path));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const readReleases = () => JSON.parse(read('releases.json'));

/** The version after one, by semver. */
function next(version, kind) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (kind === 'major') return `${major + 1}.0.0`;
  return kind === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Turns what is unreleased into the release's section. */
function dateChangelog(version) {
  const today = new Date().toISOString().slice(0, 10);
  const text = String(read('CHANGELOG.md')).replace(
    '\n## Unreleased\n',
    `\n## Unreleased\n\n## ${version} – ${today}\n`,
  );
  writeFileSync(join(ROOT, 'CHANGELOG.md'), text);
}

/** Builds everything anew, so that it names the commit, and packs it. @returns the folder's files with their digests */
function pack(version) {
  run('npm', ['run', 'build']);
  const folder = join(ROOT, 'releases', version);
  // Without a tag, an earlier attempt has left it.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const service = run(process.execPath, ['scripts/pack.mjs'], { isShown: false }).split('\n').at(-1);
  cpSync(service, join(folder, `pierhead-service-${version}.tgz`));
  rmSync(service);
  cpSync(join(ROOT, 'clients/dist'), folder, { recursive: true });
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => ({ name, sha256: sha256(readFileSync(join(folder, name))) }));
  writeFileSync(join(folder, 'SHA256SUMS'), files.map(({ name, sha256: digest }) => `${digest}  ${name}\n`).join(''));
  return files;
}

/** What later versions are tested with: digests of its migrations and its schema, and a backup. */
function keep(version, commit, files) {
  run(process.execPath, ['scripts/test.mjs', 'test/upgrades/upgrade'], { env: { KEEP_RELEASE: '1' } });
  const migrations = readdirSync(join(ROOT, MIGRATIONS))
    .filter((name) => /^\d+-.*\.ts$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => ({ name, sha256: sha256(read(join(MIGRATIONS, name))) }));
  const schema = sha256(read('src/common/database/schema.txt'));
  const release = { version, commit, date: new Date().toISOString().slice(0, 10), migrations, schema, files };
  writeFileSync(join(ROOT, 'releases.json'), `${JSON.stringify([...readReleases(), release], null, 2)}\n`);
}

const [kind, ...more] = process.argv.slice(2);
if (!KINDS.includes(kind) || more.length > 0) {
  process.stderr.write(USAGE);
  process.exit(EXIT_USAGE);
}
const version = next(currentVersion(), kind);
const tag = `v${version}`;
if (git('status', '--porcelain') !== '') refuse('Commit what has changed first.');
if (git('rev-parse', '--abbrev-ref', 'HEAD') !== 'main') refuse('Releases are made on main.');
if (git('tag', '--list', tag) !== '') refuse(`There is a tag ${tag}.`);
if (!notesOf('Unreleased')) refuse('CHANGELOG.md says nothing under "## Unreleased".');
const before = git('rev-parse', 'HEAD');
try {
  const last = readReleases().at(-1);
  if (last !== undefined) run('npm', ['run', 'upgrade:live', '--', last.commit]);
  run('npm', ['ci']);
  setVersion(version);
  dateChangelog(version);
  run('npm', ['run', 'docs:openapi']);
  run('npm', ['run', 'build', '-w', 'clients/action']);
  run('npm', ['run', 'check']);
  git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  const commit = git('rev-parse', 'HEAD');
  const files = pack(version);
  keep(version, commit, files);
  git('add', 'releases.json', 'test/upgrades/releases');
  git(
    'commit',
    '--quiet',
    '--message',
    `chore(release): keep what ${version} made, on which later versions are tested`,
  );
  git(
    'tag',
    '--annotate',
    tag,
    commit,
    '--cleanup=verbatim',
    '--message',
    `Pierhead ${version}\n\n${notesOf(`${version} `)}`,
  );
} catch (error) {
  refuse(
    `${error.message} Nothing was tagged. Undo what is left with: git reset --hard ${before} && git clean -fd test/upgrades/releases`,
  );
}
process.stdout.write(`
Pierhead ${version} is tagged ${tag}; releases/${version}/ has its packages. Publish it with:

  git push --atomic origin main ${tag}

GitHub then checks ${tag} once more and publishes the image, the packages, the action and the release. From this machine, the packages go to npm with:

  npm publish releases/${version}/pierhead-${version}.tgz
  npm publish releases/${version}/pierhead-licensing-${version}.tgz
`);

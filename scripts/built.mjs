import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @returns the commit that programs are built from, 40 digits; null outside of a repository where COMMIT does not say it, as it does for the image */
export function commitOf() {
  const { COMMIT = '' } = process.env;
  if (!existsSync(join(ROOT, '.git'))) return /^[0-9a-f]{40}$/.test(COMMIT) ? COMMIT : null;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** When a file, or the newest one below a folder, was changed. */
function newestOf(path) {
  const found = statSync(path);
  if (found.isFile()) return found.mtimeMs;
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
}

function isBuilt(output, sources) {
  try {
    return sources.every((path) => statSync(join(ROOT, output)).mtimeMs >= newestOf(join(ROOT, path)));
  } catch {
    return false;
  }
}

/** Builds what is missing or older than its sources. What a build prints is shown when it fails. */
function build(what, { output, sources, command, folder = '.', isNeeded = true }) {
  if (isBuilt(output, sources)) return;
  process.stderr.write(`Building ${what}…\n`);
  const [script, ...args] = command;
  const { status, output: printed } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: join(ROOT, folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(printed?.join('') ?? '');
  if (isNeeded) process.exit(status ?? 1);
}

/** Whether what only tests need is installed, as `test/package-lock.json` says it. */
export function hasTestTools() {
  try {
    const installed = statSync(join(ROOT, 'test/node_modules/.package-lock.json'));
    return installed.mtimeMs >= statSync(join(ROOT, 'test/package-lock.json')).mtimeMs;
  } catch {
    return false;
  }
}

/** Installs what only tests need, such as drivers of browsers and clients of stores, if it is missing or not as locked. */
export function ensureTestTools() {
  if (hasTestTools()) return;
  process.stderr.write('Installing what only tests need…\n');
  const isOnWindows = process.platform === 'win32';
  const npm = spawnSync('npm', ['ci', '--prefix', 'test'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isOnWindows,
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}

/** Builds the service in `dist/` if it is missing or older than its sources. */
export function ensureBuilt() {
  build('the service', {
    output: 'dist/main.js',
    sources: ['src'],
    command: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
  });
  writeFileSync(join(ROOT, 'dist/build.json'), `${JSON.stringify({ commit: commitOf() })}\n`);
}

/** Packs the cluster that a first start of the embedded database unpacks. Without it the first start takes longer, so a failure is only shown. */
export const ensureClusterBuilt = () =>
  build('the embedded database', {
    output: 'dist/embedded-cluster.zip',
    sources: ['node_modules/@electric-sql/pglite'],
    command: ['scripts/pack-cluster.mjs'],
    isNeeded: false,
  });

/** Packs it if the service will need it: on the embedded database, and at its first start. */
export function ensureFirstStart({ DATABASE_URL, DATA_DIR = 'data' } = process.env) {
  if (!DATABASE_URL && !existsSync(join(DATA_DIR, 'postgres'))) ensureClusterBuilt();
}

/** Builds the web console, which the service serves, if it is missing or older than its sources. */
export const ensureConsoleBuilt = () =>
  build('the console', {
    output: 'console/dist/index.html',
    sources: ['console/src', 'src/common/http'],
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    folder: 'console',
  });

/** Builds the command line, so that `npx pierhead` works in a clone, and packs the clients, which the service gives away, if they are missing or older than their sources. */
export function ensureClientsBuilt() {
  build('the command line client', {
    output: 'clients/cli/dist/main.js',
    sources: ['clients/cli/src', 'clients/cli/package.json', 'clients/cli/rolldown.config.mjs'],
    command: ['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.mjs'],
    folder: 'clients/cli',
  });
  build('the packages of the clients', {
    output: 'clients/dist',
    sources: ['cli/dist', 'cli/package.json', 'licensing', 'action/dist', 'action/package.json'].map(
      (path) => `clients/${path}`,
    ),
    command: ['scripts/pack-clients.mjs'],
  });
}

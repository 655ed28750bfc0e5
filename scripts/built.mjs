import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const newestBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

function isBuilt(output, sources) {
  try {
    return sources.every((folder) => statSync(join(ROOT, output)).mtimeMs >= newestBelow(join(ROOT, folder)));
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

/** Builds the service in `dist/` if it is missing or older than its sources. */
export const ensureBuilt = () =>
  build('the service', {
    output: 'dist/main.js',
    sources: ['src'],
    command: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
  });

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

/** Builds the command line client, so that `npx pierhead` works in a clone and the service can give it away, if it is missing or older than its sources. */
export const ensureClientBuilt = () =>
  build('the command line client', {
    output: 'clients/cli/dist/pierhead.tgz',
    sources: ['clients/cli/src'],
    command: ['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.mjs'],
    folder: 'clients/cli',
  });

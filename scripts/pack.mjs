// npm run pack: makes pierhead-service-<version>.tgz, which installs the built service with its console and its clients from npm alone.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureClientsBuilt, ensureClusterBuilt, ensureConsoleBuilt, ROOT } from './built.mjs';

flagsOf('npm run pack', 'Builds what is missing or out of date, and makes the package of the service in this folder.');

/** What the package has, as in a built clone, beside its own README and package.json. */
const CONTENT = [
  'LICENSE',
  'CHANGELOG.md',
  '.env.example',
  'dist',
  'console/dist',
  'clients/dist',
  'clients/cli/schema',
  'deploy/systemd',
];

/** Runs npm in the clone. @returns what it printed */
function npm(args) {
  const { status, stdout } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/**
 * The exact versions that the clone is tested with, of what the service imports and of what that needs. A package has no lock file that npm
 * would follow when it installs a file, so they are all dependencies of its own. Left out is what only some machines need, what is
 * installed twice, and what the clone overrides, since only the one who installs could override it.
 */
function dependenciesOf({ dependencies, overrides }) {
  const { packages } = readJson('package-lock.json');
  const replaced = new Set(Object.values(overrides).flatMap((to) => (typeof to === 'object' ? Object.keys(to) : [])));
  const names = npm(['ls', '--package-lock-only', '--omit=dev', '--all', '--parseable', '--workspaces=false'])
    .trim()
    .split('\n')
    .map((path) => relative(ROOT, path).replaceAll('\\', '/'))
    .filter((path) => path.lastIndexOf('node_modules/') === 0)
    .filter((path) => !packages[path].optional && !packages[path].devOptional)
    .map((path) => path.slice('node_modules/'.length))
    .filter((name) => Object.hasOwn(dependencies, name) || !replaced.has(name));
  return Object.fromEntries(names.toSorted().map((name) => [name, packages[`node_modules/${name}`].version]));
}

const clone = readJson('package.json');
const { version, description, license, type, engines } = clone;
const manifest = {
  name: 'pierhead-service',
  version,
  description,
  license,
  repository: { type: 'git', url: 'git+https://github.com/pierhead/pierhead.git' },
  type,
  engines,
  bin: { 'pierhead-service': 'dist/pierhead-service.js' },
  dependencies: dependenciesOf(clone),
};

ensureBuilt();
ensureClusterBuilt();
ensureClientsBuilt();
ensureConsoleBuilt();
const folder = mkdtempSync(join(tmpdir(), 'pierhead-pack-'));
for (const path of CONTENT)
  cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.map') });
cpSync(join(ROOT, 'deploy/npm/README.md'), join(folder, 'README.md'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const file = npm(['pack', folder, '--pack-destination', process.cwd(), '--silent']).trim();
rmSync(folder, { recursive: true });
process.stdout.write(`${join(process.cwd(), file)}\n`);

// npm run prune: leaves in node_modules only what a built service needs to run, half of what `npm ci --omit=dev` installs.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ROOT } from './built.mjs';

flagsOf('npm run prune', 'Removes from node_modules what only developing needs. `npm ci` installs it again.');

/** npm keeps TypeScript as an optional peer of @nestjs/swagger, whose compiler plugin the service does not use, and what builds have cached. */
const FOLDERS = ['typescript', 'typeorm/browser', '.cache'];
/** Files that only debuggers and compilers read. */
const FILES = /\.(?:map|d\.[cm]?ts)$/;

const modules = join(ROOT, 'node_modules');
// The console and the command line client are bundles, so their dependencies are not needed either.
const { status } = spawnSync('npm', ['prune', '--omit=dev', '--workspaces=false', '--no-audit', '--no-fund'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
for (const folder of FOLDERS) rmSync(join(modules, folder), { recursive: true, force: true });
for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && FILES.test(entry.name)) rmSync(join(entry.parentPath, entry.name));

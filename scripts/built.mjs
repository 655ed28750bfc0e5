import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const newestBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

function isBuilt() {
  try {
    return statSync(join(ROOT, 'dist/main.js')).mtimeMs >= newestBelow(join(ROOT, 'src'));
  } catch {
    return false;
  }
}

/** Builds `dist/` if it is missing or older than the sources. Build output goes to standard error. */
export function ensureBuilt() {
  if (isBuilt()) return;
  process.stderr.write('Building…\n');
  const nest = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

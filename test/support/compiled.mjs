// Compiles the service, the sandbox and what tests need of them, once for all workers of a run: a loader that did so as each of them imports
// would take every module of every package through another thread.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['src', 'sandbox', 'test/support'];
/** What is read by a path from its own place. */
const AS_THEY_ARE = [
  'package.json',
  'node_modules',
  'test/node_modules',
  'clients',
  'console',
  'src/common/http/tokens.css',
  'src/common/database/schema.txt',
];

async function sourcesBelow(folder) {
  const entries = await readdir(join(ROOT, folder), { recursive: true });
  return entries.filter((name) => /(?<!\.spec)\.ts$/.test(name)).map((name) => join(folder, name));
}

/**
 * @param more further folders that are needed
 * @param edits what to change in the sources, by path
 * @returns the folder with the same paths as the project's, and a way to delete it
 */
export async function compiled(more = [], edits = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-compiled-'));
  const paths = (await Promise.all([...SOURCES, ...more].map(sourcesBelow))).flat();
  await Promise.all([...new Set(paths.map(dirname))].map((below) => mkdir(join(folder, below), { recursive: true })));
  for (const name of AS_THEY_ARE) await symlink(join(ROOT, name), join(folder, name));
  await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(join(ROOT, path), 'utf8');
      const { code } = await transform(edits[path]?.(source) ?? source, {
        filename: join(ROOT, path),
        cwd: ROOT,
        sourceMaps: 'inline',
        inlineSourcesContent: false,
      });
      await writeFile(join(folder, path.replace(/ts$/, 'js')), code);
    }),
  );
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

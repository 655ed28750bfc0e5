import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { BuildStep } from './workflow.js';

const INSTALLS: readonly (readonly [string, readonly string[]])[] = [
  ['pnpm-lock.yaml', ['corepack enable', 'pnpm install --frozen-lockfile']],
  ['yarn.lock', ['corepack enable', 'yarn install --immutable']],
  ['package-lock.json', ['npm ci']],
];

/** Start of the lock file of Yarn 1, which calls the option otherwise. */
const CLASSIC_YARN = /^# yarn lockfile v1\r?$/m;

/**
 * Finds the command that builds a package, by the scripts of the nearest package.json that has such, and by the package manager of the
 * nearest lock file: in a workspace that is above. Nothing where nothing is built.
 * @param path of the package @param root of the repository
 */
export async function buildSteps(
  path: string,
  root: string,
  framework: 'WXT' | 'Plasmo' | null,
): Promise<readonly BuildStep[]> {
  const folders = foldersAbove(path, root);
  const wanted = framework === null ? ['build'] : ['zip', 'zip:firefox', 'package', 'build'];
  for (const [at, folder] of folders.entries()) {
    const scripts = await scriptsOf(folder);
    const found = wanted.filter((name) => scripts.includes(name));
    const zips = found.filter((name) => name.startsWith('zip'));
    const run = zips.length > 0 ? zips : found.slice(0, 1);
    const step = (of: string, command: string): BuildStep => ({
      run: command,
      folder: relative(root, of).split(sep).join('/'),
    });
    if (run.length === 0) continue;
    const install = await installing(folders.slice(at));
    return [
      ...install.commands.map((command) => step(install.folder, command)),
      ...run.map((name) => step(folder, `npm run ${name}`)),
    ];
  }
  return [];
}

/** The names of the scripts in a folder's package.json; none where no package.json can be read. */
async function scriptsOf(folder: string): Promise<readonly string[]> {
  try {
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    const json = JSON.parse(text.replace(/^\uFEFF/, '')) as { readonly scripts?: object | null } | null;
    return Object.keys(json?.scripts ?? {});
  } catch {
    return [];
  }
}

/** A folder and those around it, from the inside out. */
function foldersAbove(from: string, root: string): readonly string[] {
  const isInside = from.startsWith(join(root, sep));
  return isInside ? [from, ...foldersAbove(dirname(from), root)] : [root];
}

async function installing(
  folders: readonly string[],
): Promise<{ readonly folder: string; readonly commands: readonly string[] }> {
  for (const folder of folders) {
    const lock = await firstOf(INSTALLS, ([file]) => exists(join(folder, file)));
    if (lock === undefined) continue;
    const [file, commands] = lock;
    const isClassic = file === 'yarn.lock' && CLASSIC_YARN.test(await readFile(join(folder, file), 'utf8'));
    return { folder, commands: isClassic ? ['corepack enable', 'yarn install --frozen-lockfile'] : commands };
  }
  return { folder: folders[0] ?? '', commands: ['npm install'] };
}

async function firstOf<One>(all: readonly One[], isIt: (one: One) => Promise<boolean>): Promise<One | undefined> {
  for (const one of all) if (await isIt(one)) return one;
  return undefined;
}

const exists = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

/** A repository at GitHub, and the folder that it is checked out in. */
export interface Repository {
  readonly folder: string;
  /** Owner and name; null where the remote is not at GitHub. */
  readonly name: string | null;
}

/** Finds the git repository that a folder is in; null for none. */
export async function findRepository(from: string): Promise<Repository | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const config = await readFile(join(folder, '.git', 'config'), 'utf8').catch(() => null);
    if (config !== null) return { folder, name: githubName(config) };
    if (folder === dirname(folder)) return null;
  }
}

/** Reads owner and name from the remote `origin` of a git configuration; null where that is not at GitHub. Pure. */
export function githubName(config: string): string | null {
  const [, origin = ''] = /\[remote "origin"\]([^[]*)/.exec(config) ?? [];
  const [, url = ''] = /^\s*url\s*=\s*(\S+)/m.exec(origin) ?? [];
  return (
    /^(?:https:\/\/(?:[^@/]+@)?github\.com\/|git@github\.com:|ssh:\/\/git@github\.com\/)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      url,
    )?.[1] ?? null
  );
}

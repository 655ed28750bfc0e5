import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where GitHub finds the workflow. */
export const WORKFLOW_FILE = '.github/workflows/publish.yml';
/** The runs that may push: those for a tag such as v1.4.0. */
export const TAG_REF = 'refs/tags/v*';

/** What is known of a project for its workflow. */
export interface Publishing {
  readonly url: string;
  /** The id of the tenant whose trust rule admits the repository. */
  readonly tenantId: string;
  readonly extension: { readonly id: string; readonly name: string };
  /** Relative to the repository; null where a push finds it. */
  readonly package: string | null;
  readonly sources: string | null;
  /** The commands that build the package. */
  readonly build: readonly string[];
}

/** A value as a shell takes it. */
const quoted = (value: string): string =>
  /^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** The workflow that publishes each tag, without a stored secret: the job's own token is exchanged for one of the service. Pure. */
export function workflowOf({ url, tenantId, extension, package: path, sources, build }: Publishing): string {
  const push = [
    `npx --yes ${quoted(`${url}/cli/pierhead.tgz`)} push`,
    ...(path === null ? [] : [quoted(path)]),
    `--extension ${extension.id}`,
    ...(sources === null ? [] : [`--sources ${quoted(sources)}`]),
    '--wait submitted',
  ];
  return [
    '# Publishes each tag such as v1.4.0 to every store. A trust rule of the service admits this repository, so there is no secret.',
    'name: Publish',
    'on:',
    '  push:',
    "    tags: ['v*']",
    'permissions:',
    '  contents: read',
    '  id-token: write',
    'jobs:',
    '  publish:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 24',
    ...build.map((run) => `      - run: ${run}`),
    `      # ${extension.name.replaceAll(/\s+/g, ' ')}`,
    '      - run: |',
    `          ${push.join(' ')}`,
    '        env:',
    `          PIERHEAD_URL: ${JSON.stringify(url)}`,
    `          PIERHEAD_TENANT: ${tenantId}`,
    '',
  ].join('\n');
}

const INSTALLS: readonly (readonly [string, readonly string[]])[] = [
  ['pnpm-lock.yaml', ['corepack enable', 'pnpm install --frozen-lockfile']],
  ['yarn.lock', ['corepack enable', 'yarn install --immutable']],
  ['package-lock.json', ['npm ci']],
];

/** How the first version of Yarn, which calls the option otherwise, begins its lock file. */
const CLASSIC_YARN = /^# yarn lockfile v1\r?$/m;

/** The commands that build a project, by its package manager and its scripts; none where nothing is built. */
export async function buildCommands(folder: string, framework: 'WXT' | 'Plasmo' | null): Promise<readonly string[]> {
  const json = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (json === null) return [];
  const { scripts = {} } = JSON.parse(json) as { readonly scripts?: Readonly<Record<string, string>> };
  const install = await installCommands(folder);
  const wanted = framework === null ? ['build'] : ['zip', 'zip:firefox', 'package', 'build'];
  const found = wanted.filter((name) => scripts[name] !== undefined);
  const zips = found.filter((name) => name.startsWith('zip'));
  const run = zips.length > 0 ? zips : found.slice(0, 1);
  return run.length === 0 ? [] : [...install, ...run.map((name) => `npm run ${name}`)];
}

async function installCommands(folder: string): Promise<readonly string[]> {
  const lock = await firstOf(INSTALLS, ([file]) => exists(join(folder, file)));
  const [file, commands] = lock ?? ['', ['npm install']];
  if (file !== 'yarn.lock') return commands;
  const isClassic = CLASSIC_YARN.test(await readFile(join(folder, file), 'utf8'));
  return isClassic ? ['corepack enable', 'yarn install --frozen-lockfile'] : commands;
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

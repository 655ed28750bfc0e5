import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Project } from './project-file.js';

/** Settings of web-ext by their names in camel case, and where each was found. */
export interface WebExtSettings {
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** In the order in which web-ext reads them: a later one wins. It has stopped to read `.js`, and projects still have it. */
const FILES = [
  'package.json',
  ...['', '.'].flatMap((dot) => ['mjs', 'cjs', 'js'].map((type) => `${dot}web-ext-config.${type}`)),
];
/** Of variables of the environment. */
export const WEB_EXT_PREFIX = 'WEB_EXT_';
/** The commands whose settings are about publishing; `run` is about trying the extension. */
const COMMANDS = ['build', 'sign'];

/**
 * Reads the settings of web-ext in a folder, then those of the environment, which win. The files of JavaScript are run, as web-ext does.
 * @throws Error when a file cannot be read
 */
export async function readWebExt(folder: string, env: Env): Promise<readonly WebExtSettings[]> {
  const found: WebExtSettings[] = [];
  for (const name of FILES) {
    const values = await readConfig(join(folder, name));
    if (values !== null && Object.keys(values).length > 0) found.push({ from: name, values: flat(values) });
  }
  const ofEnv = Object.entries(env).filter(([name, value]) => name.startsWith(WEB_EXT_PREFIX) && value);
  if (ofEnv.length > 0)
    found.push({
      from: 'environment',
      values: Object.fromEntries(ofEnv.map(([name, value]) => [camelCase(name.slice(WEB_EXT_PREFIX.length)), value])),
    });
  return found;
}

async function readConfig(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  if (path.endsWith('package.json')) return (JSON.parse(text) as { webExt?: Record<string, unknown> }).webExt ?? null;
  const { default: main, ...named } = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  // Node.js adds this name to modules of CommonJS, from version 23 on.
  delete named['module.exports'];
  return { ...(main as object | undefined), ...named };
}

function flat(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ofCommands = COMMANDS.map((command) => values[command]).filter((each) => typeof each === 'object');
  const { build: _build, sign: _sign, run: _run, ...global } = values;
  return Object.assign(global, ...ofCommands) as Record<string, unknown>;
}

const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A setting of one text, or of several. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

/**
 * The patterns of files that stay out of a package: the notes of a version, then those of pierhead.json, or else those of web-ext, which can
 * take notes back in.
 * @param packed the folder that is packed
 * @param notes absolute paths of other notes than those of pierhead.json
 * @throws Error when web-ext's file cannot be read
 */
export async function ignoreFilesOf(
  { folder, settings }: Project,
  env: Env,
  packed: string,
  notes: readonly string[] = [],
): Promise<readonly string[]> {
  const { notesFile, reviewerNotesFile, ignoreFiles: own } = settings;
  const ofProject = [notesFile, reviewerNotesFile].flatMap((path) => (path === undefined ? [] : resolve(folder, path)));
  const inside = [...ofProject, ...notes].filter((path) => path.startsWith(join(packed, sep)));
  return [...inside.map((path) => literally(relative(packed, path))), ...(own ?? (await ignoredByWebExt(folder, env)))];
}

async function ignoredByWebExt(folder: string, env: Env): Promise<readonly string[]> {
  const { ignoreFiles } = Object.assign({}, ...(await readWebExt(folder, env)).map(({ values }) => values)) as {
    readonly ignoreFiles?: unknown;
  };
  return ignoreFiles === undefined ? [] : textsOf(ignoreFiles);
}

/** A pattern that only this path matches. */
const literally = (path: string): string =>
  path.replaceAll(sep, '/').replaceAll(/[\\$^*+?()[\]{}!|@]/g, String.raw`\$&`);

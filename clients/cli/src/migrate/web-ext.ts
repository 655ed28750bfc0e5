import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProjectSettings } from '../settings/project-settings.js';
import { addonId, type Line, type Plan, type StorePlan } from './plan.js';

/** Settings of web-ext by their names in camel case, and where they stand. */
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
const PREFIX = 'WEB_EXT_';
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
  const ofEnv = Object.entries(env).filter(([name, value]) => name.startsWith(PREFIX) && value);
  if (ofEnv.length > 0)
    found.push({
      from: 'environment',
      values: Object.fromEntries(ofEnv.map(([name, value]) => [camelCase(name.slice(PREFIX.length)), value])),
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

/** What a setting becomes; null for what is to be ignored. */
const RULES: Readonly<
  Record<
    string,
    (value: unknown) => {
      readonly note: string;
      readonly settings?: StorePlan['settings'];
      readonly project?: Partial<ProjectSettings>;
    }
  >
> = {
  id: (id) => ({ note: 'the add-on of the target', settings: { storeItemId: addonId(String(id)) } }),
  channel: (channel) => ({ note: 'channel of the target', settings: { channel: String(channel) } }),
  ignoreFiles: (patterns) => ({ note: 'ignoreFiles of pierhead.json', project: { ignoreFiles: texts(patterns) } }),
  sourceDir: (path) => ({ note: 'package of pierhead.json', project: { package: String(path) } }),
  uploadSourceCode: (path) => ({ note: 'sources of pierhead.json', project: { sources: String(path) } }),
};
const NEEDLESS: Readonly<Record<string, string>> = {
  amoMetadata:
    'Pierhead sends what is new and notes for reviewers, from notesFile and reviewerNotesFile of pierhead.json',
  artifactsDir: 'Pierhead keeps the packages',
  approvalTimeout: 'Pierhead waits as long as a review takes; pierhead push --timeout says how long you do',
};

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

/**
 * Plans what becomes of web-ext's settings.
 * @param otherKeys the file that has keys for Firefox already, which then count; null for none
 */
export function planWebExt(found: readonly WebExtSettings[], otherKeys: string | null): Plan {
  const all = Object.assign({}, ...found.map(({ values }) => values)) as Record<string, unknown>;
  const { apiKey: issuer, apiSecret: secret } = all;
  const isComplete = typeof issuer === 'string' && typeof secret === 'string';
  const keyNote = (): Pick<Line, 'outcome' | 'note'> => {
    if (otherKeys !== null) return { outcome: 'left', note: `the keys of ${otherKeys} count` };
    if (isComplete) return { outcome: 'taken', note: 'part of the credential' };
    return { outcome: 'left', note: `${issuer === undefined ? 'apiKey' : 'apiSecret'} is missing` };
  };
  const taken = Object.entries(all).flatMap(([name, value]) => RULES[name]?.(value) ?? []);
  const lines = found.flatMap(({ from, values }) =>
    Object.entries(values).map(([name, value]): Line => {
      const shown = { from, name: from === 'environment' ? variable(name) : name };
      if (name === 'apiKey' || name === 'apiSecret') return { ...shown, ...keyNote() };
      const rule = RULES[name];
      if (rule !== undefined) return { ...shown, outcome: 'taken', note: rule(value).note };
      return { ...shown, outcome: 'left', note: NEEDLESS[name] ?? 'Pierhead has no such setting' };
    }),
  );
  const credentials = otherKeys === null && isComplete ? { issuer, secret } : null;
  const settings = Object.assign({}, ...taken.map((each) => each.settings)) as StorePlan['settings'];
  const isAboutFirefox = credentials !== null || Object.keys(settings).length > 0;
  return {
    lines,
    stores: isAboutFirefox ? [{ store: 'firefox', credentials, settings }] : [],
    project: Object.assign({}, ...taken.map((each) => each.project)) as Plan['project'],
  };
}

const variable = (name: string): string => PREFIX + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

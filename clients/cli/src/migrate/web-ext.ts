import type { ProjectSettings } from '../settings/project-settings.js';
import { textsOf, WEB_EXT_PREFIX, type WebExtSettings } from '../settings/web-ext-config.js';
import { lastingPath } from '../package/index.js';
import {
  addonId,
  PACKAGE_OF_EACH,
  type Line,
  type Plan,
  type PlannedLine,
  type StorePlan,
  versionNote,
} from './plan.js';

/** Migration of a setting; null for settings to ignore. */
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
  ignoreFiles: (patterns) => ({ note: 'ignoreFiles of pierhead.json', project: { ignoreFiles: textsOf(patterns) } }),
  sourceDir: (path) => ({
    note: `package of pierhead.json${versionNote(String(path))}`,
    project: { package: lastingPath(String(path)) },
  }),
  uploadSourceCode: (path) => ({
    note: `sources of pierhead.json${versionNote(String(path))}`,
    project: { sources: lastingPath(String(path)) },
  }),
};
const UNNEEDED: Readonly<Record<string, string>> = {
  amoMetadata:
    'Pierhead sends what is new and notes for reviewers, from notesFile and reviewerNotesFile of pierhead.json',
  artifactsDir: 'Pierhead keeps the packages',
  approvalTimeout: 'Pierhead waits as long as a review takes; pierhead push --timeout says how long you do',
};

/**
 * Plans the migration of web-ext's settings.
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
  const lines = found.flatMap(({ from, values }, at) =>
    Object.entries(values).map(([name, value]): PlannedLine => {
      const shown = { from, name: from === 'environment' ? variable(name) : name };
      const later = found.slice(at + 1).findLast((each) => name in each.values);
      if (later !== undefined) return { ...shown, outcome: 'left', note: `${later.from} says it too, and counts` };
      if (name === 'apiKey' || name === 'apiSecret') return { ...shown, ...keyNote() };
      const rule = RULES[name];
      if (rule !== undefined) {
        const { note, settings = {}, project = {} } = rule(value);
        const [setting] = Object.keys(settings);
        const named = setting === undefined ? Object.keys(project)[0] : `firefox.${setting}`;
        const sets = named === 'package' ? PACKAGE_OF_EACH : named;
        return { ...shown, outcome: 'taken', note, sets };
      }
      return { ...shown, outcome: 'left', note: UNNEEDED[name] ?? 'Pierhead has no such setting' };
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

const variable = (name: string): string =>
  WEB_EXT_PREFIX + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

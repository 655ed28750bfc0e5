import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFailure } from '../failure.js';
import { list } from '../terminal/words.js';
import { type Line, type Plan, type PlannedLine, type StorePlan, unescapePem } from './plan.js';

/** A key of App Store Connect, as fastlane keeps it (https://docs.fastlane.tools/app-store-connect-api). */
interface ApiKey {
  readonly key_id: string;
  readonly issuer_id?: string;
  readonly key: string;
  readonly is_key_content_base64?: boolean;
  readonly [other: string]: unknown;
}

/** Facts about an app in fastlane's files. */
export interface Fastlane {
  /** Null where there is none. */
  readonly key: { readonly from: string; readonly content: ApiKey } | null;
  /** The bundle id, from the Appfile or the Deliverfile; null where they name none. */
  readonly appIdentifier: string | null;
  /** The names of the settings in the Deliverfile. */
  readonly deliverSettings: readonly string[];
  /** Files of its metadata that have a text, and where they are. */
  readonly notes: { readonly folder: string; readonly locales: readonly string[]; readonly hasReviewers: boolean };
}

const FOLDER = 'fastlane';
const DELIVERFILE = join(FOLDER, 'Deliverfile');
const NOTES = 'release_notes.txt';
const FOR_REVIEWERS = join('review_information', 'notes.txt');
/** As a call or as a command, with an id that is written out. */
const APP_IDENTIFIER = /^\s*app_identifier[\s(]+["']([\w.-]+)["']/m;
/** Inside the project. */
const METADATA_PATH = /^\s*metadata_path[\s(]+["'](?:\.\/)?((?!\.\.)\w[\w./-]*)["']/m;

/**
 * Reads fastlane's key, the one of the file that is named or the first one in `fastlane/`, and what its Deliverfile says.
 * @throws Failure when the file that is named holds no such key
 */
export async function readFastlane(
  folder: string,
  named?: { readonly from: string; readonly text: string },
): Promise<Fastlane> {
  const deliverfile = await readFile(join(folder, DELIVERFILE), 'utf8').catch(() => '');
  const metadata = METADATA_PATH.exec(deliverfile)?.[1] ?? join(FOLDER, 'metadata');
  const key = named === undefined ? await keyIn(folder) : keyOf(named);
  return {
    key,
    appIdentifier: await appIdentifier(folder),
    deliverSettings: settingsIn(deliverfile),
    notes: await notesIn(folder, metadata),
  };
}

async function notesIn(project: string, folder: string): Promise<Fastlane['notes']> {
  const hasText = async (...path: string[]): Promise<boolean> =>
    (await readFile(join(project, folder, ...path), 'utf8').catch(() => '')).trim() !== '';
  const locales: string[] = [];
  for (const name of (await readdir(join(project, folder)).catch((): string[] => [])).toSorted())
    if (await hasText(name, NOTES)) locales.push(name);
  return { folder, locales, hasReviewers: await hasText(FOR_REVIEWERS) };
}

function keyOf({ from, text }: { readonly from: string; readonly text: string }): NonNullable<Fastlane['key']> {
  const content = parseKey(text);
  if (content !== null) return { from, content };
  throw usageFailure(
    `${from} holds no key of App Store Connect: an object with key_id, issuer_id and key.`,
    'fastlane calls it the API key JSON file.',
  );
}

async function keyIn(folder: string): Promise<Fastlane['key']> {
  const files = (await readdir(join(folder, FOLDER)).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  for (const from of files.map((name) => join(FOLDER, name))) {
    const content = parseKey(await readFile(join(folder, from), 'utf8'));
    if (content !== null) return { from, content };
  }
  return null;
}

/** The settings of a Deliverfile: the calls that begin a line, outside of the values that take several lines. Pure. */
function settingsIn(text: string): readonly string[] {
  // Brackets in texts and comments open nothing.
  const bare = text.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""').replaceAll(/#.*$/gm, '');
  let depth = 0;
  return bare.split('\n').flatMap((line) => {
    const [, name] = (depth === 0 ? /^\s*([a-z]\w*)(?=[\s(])/.exec(line) : null) ?? [];
    for (const letter of line) depth += '([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0;
    return name === undefined || RUBY.has(name) ? [] : [name];
  });
}
const RUBY = new Set(['if', 'unless', 'else', 'elsif', 'end', 'require', 'import', 'do', 'puts']);

function parseKey(text: string): ApiKey | null {
  try {
    const value: unknown = JSON.parse(text);
    const { key_id, key } = value as Partial<ApiKey>;
    return typeof key_id === 'string' && typeof key === 'string' ? (value as ApiKey) : null;
  } catch {
    return null;
  }
}

async function appIdentifier(folder: string): Promise<string | null> {
  for (const name of ['Appfile', 'Deliverfile']) {
    const text = await readFile(join(folder, FOLDER, name), 'utf8').catch(() => '');
    const [, id] = APP_IDENTIFIER.exec(text) ?? [];
    if (id !== undefined) return id;
  }
  return null;
}

/** Meaning of the members of a key that are no part of the credential. */
const OTHERS: Readonly<Record<string, string>> = {
  in_house: 'Pierhead publishes to the App Store, not to the devices of an enterprise',
  duration: 'Pierhead decides how long its tokens for the store last',
  apple_id: 'the key signs in without an Apple ID',
};

const SUBMITS = 'Pierhead submits each version that is pushed';
const XCODE = 'the build comes from Xcode, as before';
const LISTING = 'Pierhead leaves the listing as it is; fastlane can go on to change it';
/** Migration of a setting of the Deliverfile. */
const DELIVER: Readonly<Record<string, string>> = {
  submit_for_review: SUBMITS,
  automatic_release: 'set "release" of the target; "manual" waits for: pierhead release',
  phased_release: 'set it after the first version: pierhead rollout safari',
  release_notes: 'push with --notes, or name notesFile in pierhead.json',
  submission_information: 'Pierhead asks once about encryption, and keeps the answer as "encryption" of the target',
  app_review_information: 'name reviewerNotesFile in pierhead.json',
  reject_if_possible: 'set "onPending" of the target to "replace"',
  username: OTHERS['apple_id'] ?? '',
  api_key_path: 'name the key with --fastlane-key',
  ...Object.fromEntries(
    ['ipa', 'pkg', 'app_version', 'build_number', 'skip_binary_upload'].map((name) => [name, XCODE]),
  ),
  ...Object.fromEntries(
    [
      'metadata_path',
      'screenshots_path',
      'skip_metadata',
      'skip_screenshots',
      'overwrite_screenshots',
      'name',
      'description',
      'keywords',
      'price_tier',
    ].map((name) => [name, LISTING]),
  ),
};

/** Plans the migration of fastlane's key and app, and lists the settings of its Deliverfile that stay behind. */
export function planFastlane({ key, appIdentifier: id, deliverSettings, notes }: Fastlane): Plan {
  const app: Line[] =
    id === null ? [] : [{ from: FOLDER, name: 'app_identifier', outcome: 'taken', note: 'the app of the target' }];
  const left = deliverSettings
    .filter((name) => name !== 'app_identifier')
    .map((name): Line => ({
      from: DELIVERFILE,
      name,
      outcome: 'left',
      note: DELIVER[name] ?? 'Pierhead has no such setting',
    }));
  return {
    lines: [...(key === null ? [] : linesOfKey(key)), ...app, ...linesOfNotes(notes), ...left],
    stores:
      key === null && id === null
        ? []
        : [
            {
              store: 'safari',
              credentials: key === null ? null : credentialsOf(key.content),
              settings: id === null ? {} : { storeItemId: id },
            },
          ],
    project: {
      ...(notes.locales.length === 0 ? {} : { notesFile: notes.folder }),
      ...(notes.hasReviewers ? { reviewerNotesFile: join(notes.folder, FOR_REVIEWERS) } : {}),
    },
  };
}

/** The files stay where fastlane has them, and each push reads them. */
function linesOfNotes({ folder, locales, hasReviewers }: Fastlane['notes']): PlannedLine[] {
  const taken = { from: folder, outcome: 'taken' } as const;
  const forUsers = `the release notes of each push, in ${list(locales)}: "notesFile" in pierhead.json`;
  return [
    ...(locales.length === 0 ? [] : [{ ...taken, name: NOTES, note: forUsers, sets: 'notesFile' }]),
    ...(hasReviewers
      ? [{ ...taken, name: FOR_REVIEWERS, note: '"reviewerNotesFile" in pierhead.json', sets: 'reviewerNotesFile' }]
      : []),
  ];
}

const linesOfKey = ({ from, content }: NonNullable<Fastlane['key']>): Line[] =>
  Object.keys(content).map((name) => {
    const isPart = ['key_id', 'issuer_id', 'key', 'is_key_content_base64'].includes(name);
    const note = isPart ? 'part of the credential' : (OTHERS[name] ?? 'Pierhead has no such setting');
    return { from, name, outcome: isPart ? 'taken' : 'left', note };
  });

function credentialsOf({
  key_id: keyId,
  issuer_id: issuerId,
  key,
  is_key_content_base64: isBase64,
}: ApiKey): NonNullable<StorePlan['credentials']> {
  const content = isBase64 === true ? Buffer.from(key, 'base64').toString('utf8') : key;
  return { ...(issuerId === undefined ? {} : { issuerId }), keyId, privateKey: unescapePem(content) };
}

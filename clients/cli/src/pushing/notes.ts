import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { inputName, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import type { Project } from '../settings/project-file.js';

/** Characters, for users and for reviewers alike. */
const MAX_NOTES = 4000;
/** The file of a folder that is for every language without one of its own. */
const FOR_ALL = 'default';
/** The file that fastlane keeps in a folder for each language. */
const OF_FASTLANE = 'release_notes.txt';
const LOCALE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z\d]{2,8}){0,3}$/;

/** Notes as the options name them; pierhead.json has the rest. */
export interface NotesOptions {
  readonly notes?: string;
  readonly notesFile?: string;
  readonly reviewerNotesFile?: string;
}

/** Texts that go with a version. */
export interface Notes {
  readonly notes?: string | undefined;
  /** By locale. */
  readonly localizedNotes?: Readonly<Record<string, string>> | undefined;
  readonly reviewerNotes?: string | undefined;
}

/** Reads the notes of a push. @throws Failure when they are empty, too long or not UTF-8, or for a file that names no language */
export async function readNotes(context: Context, project: Project, options: NotesOptions): Promise<Notes> {
  const { notes, notesFile, reviewerNotesFile } = options;
  if (notes?.trim() === '') throw usageFailure('--notes is empty.');
  if (notes !== undefined && notesFile !== undefined) throw usageFailure('Use --notes or --notes-file, not both.');
  if (notesFile === '-' && reviewerNotesFile === '-') throw usageFailure('Only one file can be standard input.');
  const { settings } = project;
  const forUsers = notesFile ?? pathIn(project, settings.notesFile);
  const forReviewers = reviewerNotesFile ?? pathIn(project, settings.reviewerNotesFile);
  const found: Notes = {
    ...(notes === undefined && forUsers !== undefined ? await notesAt(context, forUsers) : { notes }),
    reviewerNotes: forReviewers === undefined ? undefined : await textAt(context, forReviewers),
  };
  for (const text of [found.notes, found.reviewerNotes, ...Object.values(found.localizedNotes ?? {})]) {
    const { length } = [...(text ?? '')];
    if (length > MAX_NOTES)
      throw usageFailure(`Notes of ${length} characters are too long.`, `Stores take up to ${MAX_NOTES}.`);
  }
  return found;
}

const pathIn = ({ folder }: Project, path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(folder, path);

/** The notes of a file or a folder. */
async function notesAt(context: Context, path: string): Promise<Pick<Notes, 'notes' | 'localizedNotes'>> {
  const folder = await folderAt(context, path);
  return folder === null ? { notes: await textAt(context, path) } : notesIn(context, folder);
}

/** A file's text. @throws Failure when there is none */
async function textAt(context: Context, path: string): Promise<string> {
  const text = (await context.text(path)).trim();
  if (text === '') throw usageFailure(`${inputName(path)} is empty.`);
  return text;
}

/** The folder at a path; null for a file, and for what is not there, about which reading it complains. */
async function folderAt({ surroundings: { cwd } }: Context, path: string): Promise<string | null> {
  const at = resolve(cwd, path);
  const isFolder = path !== '-' && ((await stat(at).catch(() => null))?.isDirectory() ?? false);
  return isFolder ? at : null;
}

/** The notes of a folder: a text for each language, such as `de.md`, and `default.md` for all others; or those of fastlane. */
async function notesIn(context: Context, folder: string): Promise<Pick<Notes, 'notes' | 'localizedNotes'>> {
  const texts = new Map<string, string>();
  for (const { path, named } of (await notesOfFastlane(folder)) ?? (await filesIn(folder))) {
    const locale = localeOf(named);
    if (texts.has(locale)) throw usageFailure(`${folder} has two files for ${locale}.`);
    texts.set(locale, await textAt(context, path));
  }
  if (texts.size === 0) throw usageFailure(`${folder} has no release notes.`, 'Add default.md, or one such as de.md.');
  const { [FOR_ALL]: notes, ...localizedNotes } = Object.fromEntries(texts);
  return { notes, ...(Object.keys(localizedNotes).length === 0 ? {} : { localizedNotes }) };
}

/** A file with notes, and the path whose name is its language. */
interface NotesFile {
  readonly path: string;
  readonly named: string;
}

const filesIn = async (folder: string): Promise<readonly NotesFile[]> =>
  (await readdir(folder))
    .toSorted()
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, named: path }));

/** The notes in the folder of fastlane's metadata; it makes empty ones, too. Null for any other folder. */
async function notesOfFastlane(folder: string): Promise<readonly NotesFile[] | null> {
  const found: NotesFile[] = [];
  let isFastlanes = false;
  for (const name of (await readdir(folder)).toSorted()) {
    const path = join(folder, name, OF_FASTLANE);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue;
    isFastlanes = true;
    found.push(...(text.trim() === '' ? [] : [{ path, named: join(folder, `${name}.txt`) }]));
  }
  return isFastlanes ? found : null;
}

/** @throws Failure for a file that is named after no language */
function localeOf(path: string): string {
  const name = basename(path, extname(path));
  if (!['.md', '.txt'].includes(extname(path)) || (name !== FOR_ALL && !LOCALE.test(name)))
    throw usageFailure(
      `${path} is named after no language.`,
      'Files of the folder are named such as de.md, pt-BR.md or default.md.',
    );
  return name === FOR_ALL ? name : canonical(name.replaceAll('_', '-'));
}

/** The locale in its usual spelling, such as pt-BR for pt-br. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch {
    return locale;
  }
}

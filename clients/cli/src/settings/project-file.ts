import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { EXIT, Failure, unreadableFailure, usageFailure } from '../failure.js';
import { jsonFault } from './json-fault.js';
import { describeFaults, PROJECT_SETTINGS, type ProjectSettings } from './project-settings.js';

export const PROJECT_FILE = 'pierhead.json';

/** A project: its settings, and the folder that their paths are relative to. */
export interface Project {
  /** Null where there is no pierhead.json. */
  readonly path: string | null;
  readonly folder: string;
  readonly settings: ProjectSettings;
}

/** Reads the nearest pierhead.json of a folder or of those above it. @throws Failure with its fault */
export async function findProject(from: string): Promise<Project> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    const text = await textOf(path);
    if (text !== null) return { path, folder, settings: parseProject(text, path) };
    if (folder === dirname(folder)) return { path: null, folder: resolve(from), settings: {} };
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    // Editors of Windows may begin a file with a byte order mark.
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw unreadableFailure(path, error);
  }
}

/** Reads settings as JSON with comments. @throws Failure with each fault */
export function parseProject(text: string, path: string): ProjectSettings {
  const faults: ParseError[] = [];
  const value: unknown = parse(text, faults, { allowTrailingComma: true });
  const [fault] = faults;
  if (fault !== undefined) throw usageFailure(`${path} is not JSON: ${jsonFault(text, fault)}.`);
  const checked = PROJECT_SETTINGS.safeParse(value);
  if (checked.success) return checked.data;
  throw new Failure(`${path} has settings that cannot be used.`, {
    exitCode: EXIT.usage,
    errors: describeFaults(checked.error),
  });
}

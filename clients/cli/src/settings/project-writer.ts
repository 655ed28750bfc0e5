import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { PROJECT_FILE, type Project } from './project-file.js';
import type { ProjectSettings } from './project-settings.js';

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/**
 * Adds settings to a project's pierhead.json, or makes one. What is set already stays, comments too.
 * @param serviceUrl of the service, which serves the schema of a new file
 * @returns the file, and the names of the settings that were added
 */
export async function addToProject(
  { path, folder, settings }: Project,
  wanted: Partial<ProjectSettings>,
  serviceUrl: string,
): Promise<{ readonly path: string; readonly added: readonly string[] }> {
  const file = path ?? join(folder, PROJECT_FILE);
  const before = path === null ? '{}' : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const missing = Object.entries({
    ...(path === null ? { $schema: `${serviceUrl}/schemas/pierhead.json` } : {}),
    ...wanted,
  }).filter(([name, value]) => value !== undefined && settings[name as keyof ProjectSettings] === undefined);
  if (missing.length === 0) return { path: file, added: [] };
  const text = missing.reduce(
    (sofar, [name, value]) => applyEdits(sofar, modify(sofar, [name], value, FORMAT)),
    before,
  );
  const temporary = `${file}.new`;
  try {
    await writeFile(temporary, `${text.trimEnd()}\n`);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return { path: file, added: missing.map(([name]) => name) };
}

import { visit } from 'jsonc-parser';
import type { LocaleFault, PackageFacts } from '../../stores/pure.js';
import { InvalidManifest } from './archive-errors.js';
import { MAX_JSON_BYTES } from './archive-limits.js';
import { decodeText, isObject, parseJson } from './json-text.js';
import type { BoundedReader } from './zip/bounded-reader.js';
import type { PackedFile } from './zip/entry-rules.js';
import { readPackedFile } from './zip/packed-file.js';

const MESSAGES = /^_locales\/([^/]+)\/messages\.json$/;
/** Chrome knows fifty-five locales; what has more is no extension's. */
const MAX_LOCALES = 100;
const MAX_REPEATED = 20;

/** Reads what stores judge a package by, besides its manifest. */
export async function readFacts(
  reader: BoundedReader,
  files: readonly PackedFile[],
  manifestText: string,
): Promise<PackageFacts> {
  const manifest = parseJson(manifestText, 'manifest.json');
  const locales = new Map<string, ReadonlyMap<string, string> | LocaleFault>();
  for (const file of files) {
    const locale = MESSAGES.exec(file.name)?.[1];
    if (locale === undefined || locales.size >= MAX_LOCALES) continue;
    locales.set(locale, await readMessages(reader, file));
  }
  return {
    manifest: isObject(manifest) ? manifest : {},
    repeatedKeys: repeatedIn(manifestText),
    contents: { files: new Set(files.map(({ name }) => name)), locales },
  };
}

async function readMessages(
  reader: BoundedReader,
  file: PackedFile,
): Promise<ReadonlyMap<string, string> | LocaleFault> {
  if (Math.max(file.size, file.packedSize) > MAX_JSON_BYTES) return new Map();
  try {
    const json = parseJson(decodeText(await readPackedFile(reader, file), file.name), file.name);
    if (!isObject(json)) return { fault: 'is not a JSON object' };
    const messages = new Map<string, string>();
    for (const [key, entry] of Object.entries(json)) {
      if (!isObject(entry) || typeof entry.message !== 'string') return { fault: `has no message for "${key}"` };
      messages.set(key.toLowerCase(), entry.message);
    }
    return messages;
  } catch (error) {
    if (!(error instanceof InvalidManifest)) throw error;
    return { fault: 'is not valid JSON' };
  }
}

/** The paths of keys that an object has more than once. Pure. */
export function repeatedIn(text: string): readonly string[] {
  const seen = new Set<string>();
  const repeated: string[] = [];
  visit(text, {
    onObjectProperty: (key, _offset, _length, _line, _column, pathOf) => {
      // Items of lists have their number in the path, so that only keys of one object meet.
      const path = [...pathOf(), key];
      const id = JSON.stringify(path);
      if (seen.has(id) && repeated.length < MAX_REPEATED) repeated.push(path.join('.'));
      seen.add(id);
    },
  });
  return [...new Set(repeated)];
}

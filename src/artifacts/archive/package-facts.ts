import { visit } from 'jsonc-parser';
import type { Messages, PackageFacts } from '../../stores/pure.js';
import { InvalidManifest } from './archive-errors.js';
import { MAX_JSON_BYTES } from './archive-limits.js';
import { decodeText, isObject, parseJson } from './json-text.js';
import type { BoundedReader } from './zip/bounded-reader.js';
import type { PackedFile } from './zip/entry-rules.js';
import { readPackedFile } from './zip/packed-file.js';

const MESSAGES = /^_locales\/([^/]+)\/messages\.json$/;
const MESSAGE_IN_TEXT = /__MSG_([\w@]+)__/g;
/** Of all locales together; real packages with fifty of them have less than one. */
const MAX_MESSAGES_BYTES = 4 * MAX_JSON_BYTES;
const MAX_REPEATED = 20;

/** Reads what stores judge a package by, besides its manifest. */
export async function readFacts(
  reader: BoundedReader,
  files: readonly PackedFile[],
  { manifest, repeatedKeys, size }: Omit<PackageFacts, 'contents'>,
): Promise<PackageFacts> {
  // The others need not be kept.
  const named = JSON.stringify(manifest).matchAll(MESSAGE_IN_TEXT);
  const wanted = new Set([...named].map(([, key]) => String(key).toLowerCase()));
  const locales = new Map<string, Messages>();
  let left = MAX_MESSAGES_BYTES;
  for (const [locale, file] of inOrder(files, manifest['default_locale'])) {
    const bytes = Math.max(file.size, file.packedSize);
    left -= bytes;
    const isRead = left >= 0 && bytes <= MAX_JSON_BYTES;
    locales.set(locale, isRead ? await readMessages(reader, file, wanted) : 'not read');
  }
  const sizes = new Map(files.map((file) => [file.name, file.size]));
  return { manifest, repeatedKeys, size, contents: { files: sizes, locales } };
}

/** The messages of each locale; those of the default first, since more depends on them. */
const inOrder = (files: readonly PackedFile[], main: unknown): readonly (readonly [string, PackedFile])[] =>
  files
    .flatMap((file) => {
      const locale = MESSAGES.exec(file.name)?.[1];
      return locale === undefined ? [] : [[locale, file] as const];
    })
    .toSorted(([one], [other]) => Number(other === main) - Number(one === main));

async function readMessages(
  reader: BoundedReader,
  file: PackedFile,
  wanted: ReadonlySet<string>,
): Promise<Exclude<Messages, 'not read'>> {
  try {
    const json = parseJson(decodeText(await readPackedFile(reader, file), file.name), file.name);
    if (!isObject(json)) return { fault: 'is not a JSON object' };
    const messages = new Map<string, string>();
    for (const [key, entry] of Object.entries(json)) {
      if (!isObject(entry) || typeof entry.message !== 'string') return { fault: `has no message for "${key}"` };
      if (wanted.has(key.toLowerCase())) messages.set(key.toLowerCase(), entry.message);
    }
    return messages;
  } catch (error) {
    if (!(error instanceof InvalidManifest)) throw error;
    return { fault: 'is not valid JSON' };
  }
}

/** The paths of keys that an object has more than once. Pure. */
export function repeatedIn(text: string): readonly string[] {
  const open: Set<string>[] = [];
  const repeated = new Set<string>();
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, _offset, _length, _line, _column, pathOf) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true && repeated.size < MAX_REPEATED) repeated.add([...pathOf(), key].join('.'));
      keys?.add(key);
    },
  });
  return [...repeated];
}

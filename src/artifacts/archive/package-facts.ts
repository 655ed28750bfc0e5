import { isUtf8 } from 'node:buffer';
import { visit } from 'jsonc-parser';
import {
  contentScripts,
  iconFiles,
  lookedUpAs,
  type Messages,
  type PackageFacts,
  type Picture,
} from '../../stores/pure.js';
import { InvalidManifest } from './archive-errors.js';
import { MAX_JSON_BYTES } from './archive-limits.js';
import { decodeText, isObject, parseJson } from './json-text.js';
import { pictureIn } from './picture.js';
import { remoteScriptsIn } from './remote-scripts.js';
import { readPackedFile, type BoundedReader, type PackedFile } from './zip/index.js';

const MESSAGES = /^_locales\/([^/]+)\/messages\.json$/;
const MESSAGE_IN_TEXT = /__MSG_([\w@]+)__/g;
/** Of all locales together; real packages with fifty of them have less than one. */
const MAX_MESSAGES_BYTES = 4 * MAX_JSON_BYTES;
const MAX_REPEATED = 20;
/** Of one icon, page or script, and of all icons, pages or scripts together. */
const MAX_READ_BYTES = { each: 4 * MAX_JSON_BYTES, all: 16 * MAX_JSON_BYTES };
const PAGE = /\.html?$/i;

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
  const pictures = await readPictures(reader, files, manifest);
  const remoteScripts = await readPages(reader, files, manifest);
  const undecodable = await readScripts(reader, files, manifest);
  return { manifest, repeatedKeys, size, contents: { files: sizes, locales, pictures, remoteScripts, undecodable } };
}

async function readPictures(
  reader: BoundedReader,
  files: readonly PackedFile[],
  manifest: PackageFacts['manifest'],
): Promise<ReadonlyMap<string, Picture>> {
  const named = new Set(iconFiles(manifest).flatMap(({ file, path }) => lookedUpAs(file, path, ['addons-linter'])));
  const pictures = new Map<string, Picture>();
  const icons = files.filter(({ name }) => named.has(name));
  for await (const [{ name }, content] of contentsOf(reader, icons)) pictures.set(name, pictureIn(content));
  return pictures;
}

/** The UTF-8 of U+FFFE and U+FFFF in each plane, and of U+FDD0 to U+FDEF. */
const NONCHARACTER = /\xef\xbf[\xbe\xbf]|\xef\xb7[\x90-\xaf]|[\xf0-\xf4][\x80-\xbf]\xbf[\xbe\xbf]/;

async function readScripts(
  reader: BoundedReader,
  files: readonly PackedFile[],
  manifest: PackageFacts['manifest'],
): Promise<ReadonlySet<string>> {
  const named = new Set(contentScripts(manifest).flatMap(({ file, path }) => lookedUpAs(file, path, ['chromium'])));
  const undecodable = new Set<string>();
  const scripts = files.filter(({ name }) => named.has(name));
  for await (const [{ name }, content] of contentsOf(reader, scripts))
    if (!isUtf8(content) || NONCHARACTER.test(content.toString('latin1'))) undecodable.add(name);
  return undecodable;
}

async function readPages(
  reader: BoundedReader,
  files: readonly PackedFile[],
  manifest: PackageFacts['manifest'],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const pages = manifest['manifest_version'] === 3 ? files.filter(({ name }) => PAGE.test(name)) : [];
  for await (const [{ name }, content] of contentsOf(reader, pages)) {
    const scripts = remoteScriptsIn(content.toString('latin1'));
    if (scripts.length > 0) found.set(name, scripts.slice(0, 1));
  }
  return found;
}

/** The contents of files, one at a time; those that are too large are left out. */
async function* contentsOf(
  reader: BoundedReader,
  files: readonly PackedFile[],
): AsyncGenerator<readonly [PackedFile, Buffer]> {
  let left = MAX_READ_BYTES.all;
  for (const file of files) {
    const bytes = Math.max(file.size, file.packedSize);
    if (bytes > Math.min(left, MAX_READ_BYTES.each)) continue;
    left -= bytes;
    yield [file, await readPackedFile(reader, file)];
  }
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

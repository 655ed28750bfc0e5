import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { jsonFault } from '../settings/json-fault.js';
import { statNamed } from './stat-named.js';
import { ZipReader } from './zip-reader.js';

/** The manifest's facts about a package. */
export interface Manifest {
  /** In the extension's default language, when the name is kept in its `_locales`. */
  readonly name: string;
  readonly version: string;
  readonly manifestVersion: number;
  /** Firefox's id of the add-on; null for none. */
  readonly geckoId: string | null;
  /** All of it, as a store reads it. */
  readonly json: JsonObject;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A file of a package, in pieces. */
type ReadFile = (name: string) => AsyncIterable<Uint8Array>;

/** No manifest comes near; the service takes no larger one either. */
const MAX_BYTES = 1024 * 1024;
const MESSAGE_NAME = /^__MSG_([\w@]+)__$/;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the manifest of a folder or of a zip. @throws Error with its fault */
export async function readManifest(path: string): Promise<Manifest> {
  if ((await statNamed(path)).isDirectory())
    return manifestBy((name) => createReadStream(join(path, name)) as AsyncIterable<Buffer>, path);
  const zip = await ZipReader.open(path);
  try {
    return await manifestBy((name) => zip.read(name), path);
  } finally {
    zip.close();
  }
}

async function manifestBy(readFile: ReadFile, path: string): Promise<Manifest> {
  const text = await textOf(readFile, 'manifest.json').catch((error: unknown) => {
    throw new Error(unreadable(path, error as NodeJS.ErrnoException), { cause: error });
  });
  const json = parseObject(text, `manifest.json in ${path}`);
  const { version, manifest_version: manifestVersion } = json;
  if (typeof version !== 'string') throw new Error(`manifest.json in ${path} has no version.`);
  if (typeof manifestVersion !== 'number') throw new Error(`manifest.json in ${path} has no manifest_version.`);
  return { name: await nameOf(json, readFile, path), version, manifestVersion, geckoId: geckoIdOf(json), json };
}

const unreadable = (path: string, { code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT'
    ? `${path} has no manifest.json at its root.`
    : `manifest.json in ${path} cannot be read: ${code === 'EISDIR' ? 'it is a folder.' : message}`;

async function textOf(readFile: ReadFile, name: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of readFile(name)) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Error('it is larger than 1 MiB.');
    pieces.push(piece);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
}

/** Reads JSON as browsers read that of an extension: with comments, and nothing else beyond the standard. */
export function parseObject(text: string, what: string): JsonObject {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: false });
  const [first] = errors;
  if (first !== undefined) throw new Error(`${what} is not valid JSON: ${jsonFault(text, first)}.`);
  if (!isObject(value)) throw new Error(`${what} must be a JSON object.`);
  return value;
}

/** A name that cannot be looked up stays as it is: whether that is a fault is for each store to say. */
async function nameOf(json: JsonObject, readFile: ReadFile, path: string): Promise<string> {
  const { name, default_locale: locale } = json;
  if (typeof name !== 'string' || name.trim() === '') throw new Error(`manifest.json in ${path} has no name.`);
  const key = MESSAGE_NAME.exec(name)?.[1]?.toLowerCase();
  if (key === undefined || typeof locale !== 'string' || !/^[\w-]+$/.test(locale)) return name;
  const file = `_locales/${locale}/messages.json`;
  const messages = await textOf(readFile, file)
    .then((text) => parseObject(text, file))
    .catch(() => ({}));
  const found = Object.entries(messages).find(([each]) => each.toLowerCase() === key)?.[1];
  const message = isObject(found) ? found['message'] : undefined;
  return typeof message === 'string' && message.trim() !== '' ? message : name;
}

function geckoIdOf({ browser_specific_settings: settings, applications }: JsonObject): string | null {
  for (const each of [settings, applications]) {
    const gecko = isObject(each) ? each['gecko'] : undefined;
    const id = isObject(gecko) ? gecko['id'] : undefined;
    if (typeof id === 'string' && id !== '') return id;
  }
  return null;
}

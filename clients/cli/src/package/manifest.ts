import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { unreadableFailure } from '../failure.js';
import { decodeText, findMessage, manifestFrom, manifestObject, MAX_JSON_BYTES } from '../preflight/rules.js';
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

const MESSAGE_NAME = /^__MSG_([\w@]+)__$/;

/** Reads the manifest of a folder or of a zip, as the service does. @throws Error with its fault */
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
  const bytes = await bytesOf(readFile, 'manifest.json').catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new Error(`${path} has no manifest.json at its root.`, { cause: error })
      : unreadableFailure(`manifest.json in ${path}`, error);
  });
  try {
    const json = manifestObject(decodeText(bytes, 'manifest.json'));
    const { manifest, defaultLocale } = manifestFrom(json);
    const { version, manifestVersion, geckoId } = manifest;
    return { name: await nameOf(manifest.name, defaultLocale, readFile), version, manifestVersion, geckoId, json };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      message.replace('manifest.json', () => `manifest.json in ${path}`),
      { cause: error },
    );
  }
}

async function bytesOf(readFile: ReadFile, name: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of readFile(name)) {
    bytes += piece.length;
    if (bytes > MAX_JSON_BYTES) throw new Error(`it is larger than ${MAX_JSON_BYTES / 1024 ** 2} MiB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** A name that cannot be looked up stays as it is: whether that is a fault is for each store to say. */
async function nameOf(name: string, locale: string | null, readFile: ReadFile): Promise<string> {
  const key = MESSAGE_NAME.exec(name)?.[1];
  if (key === undefined || locale === null || !/^[\w-]+$/.test(locale)) return name;
  const file = `_locales/${locale}/messages.json`;
  return bytesOf(readFile, file)
    .then((bytes) => findMessage(decodeText(bytes, file), file, key) ?? name)
    .catch(() => name);
}

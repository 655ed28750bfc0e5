import { open } from 'node:fs/promises';
import type { PackageFacts, PackageFormat } from '../../stores/pure.js';
import { quotable } from '../../common/net/pure.js';
import { InvalidArchive, InvalidManifest } from './archive-errors.js';
import { MAX_JSON_BYTES } from './archive-limits.js';
import { decodeText } from './json-text.js';
import { readIcon } from './icon.js';
import { findMessage, manifestFrom, manifestObject, type PackageManifest, type ParsedManifest } from './manifest.js';
import { findZip } from './zip/signed-zip.js';
import { readFacts, repeatedIn } from './package-facts.js';
import type { PackageIndex } from './package-index.js';
import {
  BoundedReader,
  digestContents,
  readDirectory,
  readPackedFile,
  type ContentDigests,
  type PackedFile,
} from './zip/index.js';

const MESSAGE_NAME = /^__MSG_([\w@]+)__$/;

/** Content of a package. */
export interface InspectedPackage {
  readonly format: PackageFormat;
  readonly manifest: PackageManifest;
  readonly facts: PackageFacts;
  /** Of names and contents, in hex. */
  readonly contentSha256: string;
  readonly index: PackageIndex;
  /** The file of its icon; null where it has none that can be shown. */
  readonly icon: Buffer | null;
}

/** Checks the entry list, reads manifest.json, then unpacks every entry without keeping it. @throws InvalidArchive, InvalidManifest */
export const inspectArchive = (path: string): Promise<InspectedPackage> =>
  withArchive(path, async ({ reader, files, size, start }) => {
    const text = await readJsonText(reader, findManifest(files));
    const json = manifestObject(text);
    const parsed = manifestFrom(json);
    const manifest = { ...parsed.manifest, name: await nameOf(reader, files, parsed) };
    const digests = await digestContents(reader, files);
    const facts = await readFacts(reader, files, { manifest: json, repeatedKeys: repeatedIn(text), size });
    const icon = await readIcon(reader, files, json);
    const format = start === 0 ? 'zip' : 'crx';
    const index = { manifest: json, files: indexed(files, digests) };
    return { format, manifest, facts, contentSha256: digests.all, index, icon };
  });

/** Reads the part of a package that a comparison needs; its manifest may be any. @throws InvalidArchive, InvalidManifest */
export const readIndex = (path: string): Promise<PackageIndex> =>
  withArchive(path, async ({ reader, files }) => {
    const manifest = manifestObject(await readJsonText(reader, findManifest(files)));
    return { manifest, files: indexed(files, await digestContents(reader, files)) };
  });

/** A package whose entry list was checked. */
interface OpenArchive {
  readonly reader: BoundedReader;
  readonly files: readonly PackedFile[];
  /** Bytes of the file, and where the zip begins in it. */
  readonly size: number;
  readonly start: number;
}

async function withArchive<T>(path: string, read: (archive: OpenArchive) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = await findZip(file, size);
    const reader = new BoundedReader(file, size - start, start);
    const files = await readDirectory(reader);
    return await read({ reader, files, size, start });
  } finally {
    await file.close();
  }
}

/** The files, without the folders that some tools list too. */
const indexed = (files: readonly PackedFile[], digests: ContentDigests): PackageIndex['files'] =>
  files.flatMap(({ name, size }) => {
    const sha256 = digests.files.get(name);
    return sha256 === undefined ? [] : [{ path: name, size, sha256 }];
  });

function findManifest(files: readonly PackedFile[]): PackedFile {
  const [manifest, ...others] = files.filter((file) => file.name.toLowerCase() === 'manifest.json');
  if (others.length > 0) throw new InvalidArchive('The zip contains manifest.json more than once.');
  if (manifest === undefined) throw new InvalidManifest(`The package has no manifest.json at its root${hint(files)}.`);
  if (manifest.name !== 'manifest.json') {
    throw new InvalidManifest(`The package has no manifest.json at its root; rename ${manifest.name}.`);
  }
  return manifest;
}

function hint(files: readonly PackedFile[]): string {
  const names = files.map((file) => file.name).filter((name) => /^[^/]+\/manifest\.json$/.test(name));
  const name = names.find((each) => !each.startsWith('__MACOSX/'));
  if (name === undefined) return '';
  if (name === './manifest.json') return '; found at ./manifest.json: zip it without the leading "./"';
  return `; found at ${quotable(name)}: zip the folder's contents, not the folder`;
}

async function readJsonText(reader: BoundedReader, file: PackedFile): Promise<string> {
  if (Math.max(file.size, file.packedSize) > MAX_JSON_BYTES) {
    throw new InvalidManifest(`${quotable(file.name)} is larger than ${MAX_JSON_BYTES / 1024 ** 2} MiB.`);
  }
  return decodeText(await readPackedFile(reader, file), quotable(file.name));
}

/** A name that cannot be looked up stays a placeholder: whether that matters is for each store to say. */
async function nameOf(reader: BoundedReader, files: readonly PackedFile[], parsed: ParsedManifest): Promise<string> {
  const { name } = parsed.manifest;
  const key = MESSAGE_NAME.exec(name)?.[1];
  const messages = files.find((file) => file.name === `_locales/${parsed.defaultLocale}/messages.json`);
  if (key === undefined || messages === undefined) return name;
  try {
    return findMessage(await readJsonText(reader, messages), messages.name, key) ?? name;
  } catch (error) {
    if (error instanceof InvalidManifest) return name;
    throw error;
  }
}

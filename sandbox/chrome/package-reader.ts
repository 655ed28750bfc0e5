import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ParseError, parse } from 'jsonc-parser';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { Refusal } from '../answer.js';
import { packageRefusal } from './errors.js';
import { parseVersion } from '../versions.js';
import { readSignature } from './signed-package.js';

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Facts that the store reads from a package. */
export interface PackageManifest {
  readonly version: string;
}

/** Opens a package and reads its manifest.json, or throws the store's refusal of it (src/stores/README.md#chrome-errors). */
export async function readPackage(path: string, size: number): Promise<PackageManifest> {
  const zipStart = (await readSignature(path))?.zipStart ?? 0;
  const text = await readManifest(new FileTail(path, zipStart), size - zipStart);
  return { version: readVersion(text) };
}

async function readManifest(reader: RandomAccessReader, size: number): Promise<string> {
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, { autoClose: false });
    try {
      return await manifestOf(zip);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw packageRefusal('PKG_INVALID_ZIP', 'The package is not a valid zip file.');
  }
}

async function manifestOf(zip: ZipFile): Promise<string> {
  let manifest: Entry | undefined;
  // All entries are read, because a broken one makes the package invalid.
  for await (const entry of zip.eachEntry()) if (entry.fileName === 'manifest.json') manifest = entry;
  if (!manifest) {
    throw packageRefusal(
      'PKG_MISSING_MANIFEST',
      'No manifest found in package. Please put manifest.json at the root directory of the zip package.',
    );
  }
  if (manifest.uncompressedSize > MAX_MANIFEST_BYTES) throw badManifest('The manifest is too large.');
  return (await buffer(await zip.openReadStreamPromise(manifest))).toString('utf8');
}

function readVersion(text: string): string {
  const errors: ParseError[] = [];
  // Chrome allows comments in a manifest but no trailing commas.
  const manifest: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: false });
  if (errors.length > 0 || typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw badManifest('The manifest is not valid JSON.');
  }
  const { name, version, manifest_version: generation } = manifest as Readonly<Record<string, unknown>>;
  if (generation !== 2 && generation !== 3)
    throw badManifest("The 'manifest_version' key must be present and set to 3.");
  if (typeof name !== 'string' || name === '') throw badManifest("Required value 'name' is missing or invalid.");
  if (typeof version !== 'string') {
    throw badManifest('The manifest has an invalid version. Version value must be a string.');
  }
  if (!parseVersion(version)) {
    throw badManifest(`The manifest has an invalid version: ${version}. Please format the version as defined here: \
https://developer.chrome.com/extensions/manifest/version`);
  }
  return version;
}

function badManifest(description: string): Refusal {
  return packageRefusal('PKG_MANIFEST_PARSE_ERROR', description);
}

/** The part of a file after an offset, for yauzl. */
class FileTail extends RandomAccessReader {
  constructor(
    private readonly path: string,
    private readonly offset: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.path, { start: this.offset + start, end: this.offset + end - 1 });
  }
}

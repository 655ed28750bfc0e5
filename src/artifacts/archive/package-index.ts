import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { JsonObject } from './json-text.js';

/** A file of a package: its path, its size in bytes, and the digest of its content in hex. */
export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The part of a package that a comparison needs, so that it unpacks none. */
export interface PackageIndex {
  /** The JSON of its `manifest.json`. */
  readonly manifest: JsonObject;
  readonly files: readonly IndexedFile[];
}

/** Text in a column could hold neither a NUL nor half a surrogate pair, which a manifest may. */
export const packIndex = (index: PackageIndex): Promise<Buffer> => promisify(gzip)(JSON.stringify(index));

/** Reads what `packIndex` wrote. */
export const unpackIndex = async (packed: Uint8Array): Promise<PackageIndex> =>
  JSON.parse((await promisify(gunzip)(packed)).toString()) as PackageIndex;

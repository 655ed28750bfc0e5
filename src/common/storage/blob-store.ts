import type { Readable } from 'node:stream';

/** A part of a blob, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A blob in a listing. */
export interface StoredBlob {
  readonly key: string;
  readonly modifiedAt: Date;
}

/**
 * Stores packages, exports and clients: on this machine's disk, or in an object store for several machines. Keys have the form
 * `ab/abcd….<id>` for a package, `exports/<id>` for an export and `clients/<file>.<size>.<sha512>` for a client. Never called inside a
 * transaction.
 */
export abstract class BlobStore {
  /** Stores a finished file under its key, durably. The file may be moved. */
  abstract put(path: string, key: string): Promise<void>;
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  abstract exists(key: string): Promise<boolean>;
  /** Removes a blob, if it exists. */
  abstract remove(key: string): Promise<void>;
  /** Lists all blobs, or those of one folder, such as `exports/`. */
  abstract list(folder?: string): AsyncIterable<StoredBlob>;
  /** Throws when blobs cannot be written. */
  abstract check(): Promise<void>;
}

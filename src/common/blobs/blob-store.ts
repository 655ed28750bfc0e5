import type { Readable } from 'node:stream';

/** A blob as the store lists it. */
export interface StoredBlob {
  readonly key: string;
  readonly modifiedAt: Date;
}

/**
 * Where packages lie. Keys are made by us, never reused, and look like `ab/abcd….<id>`.
 * Neither call may be made inside a transaction, but for `remove`, which must come after its commit.
 */
export abstract class BlobStore {
  /** A path on this machine to write to before the blob's key is known; `keep` or `discard` follows. */
  abstract temporaryPath(): Promise<string>;
  /** Moves a finished temporary file to its key, durably. */
  abstract keep(temporaryPath: string, key: string): Promise<void>;
  abstract discard(temporaryPath: string): Promise<void>;
  abstract open(key: string): Promise<Readable>;
  /** Removing what is not there is no error. */
  abstract remove(key: string): Promise<void>;
  abstract list(): AsyncIterable<StoredBlob>;
  /** Forgets temporary files that no living upload can still be writing. */
  abstract removeTemporaryBefore(moment: Date): Promise<void>;
  /** Throws when blobs could not be written. */
  abstract check(): Promise<void>;
}

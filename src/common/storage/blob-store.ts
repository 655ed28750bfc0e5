import type { Readable } from 'node:stream';

/** A blob as the store lists it. */
export interface StoredBlob {
  readonly key: string;
  readonly modifiedAt: Date;
}

/**
 * Where packages lie: on this machine's disk, or in an object store for several machines. Keys are made by us and never reused; they
 * look like `ab/abcd….<id>`. Never called inside a transaction.
 */
export abstract class BlobStore {
  /** Takes a finished file over under its key, durably. The file may be gone afterwards. */
  abstract keep(path: string, key: string): Promise<void>;
  abstract open(key: string): Promise<Readable>;
  abstract exists(key: string): Promise<boolean>;
  /** Removing what is not there is no error. */
  abstract remove(key: string): Promise<void>;
  abstract list(): AsyncIterable<StoredBlob>;
  /** Throws when blobs could not be written. */
  abstract check(): Promise<void>;
}

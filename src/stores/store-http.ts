import type { Readable } from 'node:stream';
import { HttpFailure } from '../common/net/index.js';
import { StoreFailure } from './failures/store-failure.js';
import type { StorePackage } from './store.js';

/** Calls a store, and turns a request without an answer into a `StoreFailure`: it may work the next time. */
export async function callStore<T>(storeTitle: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw new StoreFailure('retry', `${storeTitle} could not be reached: ${error.message}.`, { cause: error });
  }
}

/** Opens a package to send it. @throws StoreFailure `retry` */
export async function openPackage(pkg: Pick<StorePackage, 'open'>): Promise<Readable> {
  try {
    return await pkg.open();
  } catch (cause) {
    throw new StoreFailure('retry', 'The package could not be opened to be sent.', { cause });
  }
}

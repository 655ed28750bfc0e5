import type { HttpFailure } from '../common/net/index.js';
import { StoreFailure } from './store-failure.js';

/** A request without an answer: whatever broke may work the next time. */
export const unansweredFailure = (storeTitle: string, error: HttpFailure): StoreFailure =>
  new StoreFailure('retry', `${storeTitle} could not be asked: ${error.message}.`, { cause: error });

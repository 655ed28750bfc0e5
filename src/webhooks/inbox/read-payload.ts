import { asRecord, hasMoreEntriesThan, isDeeperThan } from '../../common/net/index.js';
import { invalidBody } from '../../common/problems/index.js';
import type { Payload } from '../../payments/index.js';

/** Processors nest about ten levels, expanded objects included. */
const MAX_DEPTH = 100;
/** An invoice of a hundred lines has some five thousand. */
const MAX_ENTRIES = 20_000;

/** Reads the body of a notification. @throws InvalidRequest when it is not a JSON object, or is nested too deeply */
export function readPayload(body: Buffer): Payload {
  const payload = asRecord(jsonIn(body));
  if (payload === undefined) throw invalidBody('The body must be a JSON object.');
  if (isDeeperThan(MAX_DEPTH, payload)) throw invalidBody(`The body must not nest deeper than ${MAX_DEPTH} levels.`);
  if (hasMoreEntriesThan(MAX_ENTRIES, payload))
    throw invalidBody(`The body must not have more than ${MAX_ENTRIES} keys and list items.`);
  return payload;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
